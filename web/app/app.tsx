import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { cssVariables, theme } from '../theme.ts'
import { type App, AppProvider } from './app-context.tsx'
import { Screens } from './routes.tsx'

export function renderApp(root: HTMLElement | null, app: App): void {
  if (!root) throw new Error('The page has no root')
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      // All of them, not only what differs from the kit's own: kit.css does without the file of those.
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
    >
      <AppProvider app={app}>
        <Screens />
      </AppProvider>
    </MantineProvider>,
  )
}
