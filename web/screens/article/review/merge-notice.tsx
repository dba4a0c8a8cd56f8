import { CloseButton, UnstyledButton } from '@mantine/core'
import { Layers, X } from 'lucide-react'
import type { Ref } from 'react'
import { useSignedIn } from '../../../app/app-context.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import classes from './merge-notice.module.css'
import { noticeText } from './notice-text.ts'
import type { Review } from './use-review.ts'

type MergeNoticeProps = {
  review: Review
  opener: Ref<HTMLButtonElement>
  onClosed: () => void
  /** Shows the texts from before; null while they are shown. */
  openVersions: (() => void) | null
}

/** Stays until the user closes it, so that no remote change goes unnoticed. */
export function MergeNotice(props: MergeNoticeProps) {
  const { review, opener, onClosed, openVersions } = props
  const userId = useSignedIn().user.id
  function close() {
    review.close()
    onClosed()
  }
  return (
    <Banner
      kind="info"
      icon={Layers}
      actions={
        <>
          {review.both && (
            // Not a part of the message, which is read out once.
            <UnstyledButton className={classes.open} aria-live="off" onClick={review.both.showNext}>
              {review.both.isNext ? 'Show next' : 'Show'}
            </UnstyledButton>
          )}
          {!review.isOpen && (
            <UnstyledButton ref={opener} className={classes.open} onClick={review.open}>
              Review changes
            </UnstyledButton>
          )}
          {openVersions && (
            <UnstyledButton className={classes.open} onClick={openVersions}>
              Earlier versions
            </UnstyledButton>
          )}
          <CloseButton
            size={26}
            className={classes.close}
            aria-label="Close the notice and keep all changes"
            icon={<X size={16} strokeWidth={1.6} />}
            onClick={close}
          />
        </>
      }
    >
      {noticeText(review.changes, userId)}
      {review.both?.isChanged && ' The words at this place have changed since.'}
    </Banner>
  )
}
