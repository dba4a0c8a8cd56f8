import { CircleAlert } from 'lucide-react'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import classes from './banners.module.css'

/** Spec section 2; only shown when this computer has no copy of the article (Q48). */
export function RetrievingBanner({ tryAgain }: { tryAgain: () => void }) {
  return (
    <Banner kind="error" icon={CircleAlert}>
      <strong>Error retrieving article.</strong> Try refreshing the page or checking your internet
      connection.
      <p className={classes.more}>
        <TextButton onClick={tryAgain}>Try again</TextButton>
      </p>
    </Banner>
  )
}
