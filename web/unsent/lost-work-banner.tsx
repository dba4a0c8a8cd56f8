import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { useApp } from '../app/app-context.tsx'
import { Banner } from '../ui/page/banner.tsx'

/**
 * The browser cleared what was kept here before this page was opened; no word of it is left to be sent. `children` say
 * what there is instead.
 */
export function LostWorkBanner({ children }: { children?: string }) {
  const lost = useStore(useApp().workspace.store, (state) => state.lostArticles)
  if (lost === 0) return null
  return (
    <Banner kind="error" icon={TriangleAlert}>
      <strong>Unsent changes are gone from this computer.</strong> This browser has removed what it
      kept here, with changes of {lost === 1 ? '1 article' : `${lost} articles`} that were not sent.{' '}
      {children}
    </Banner>
  )
}
