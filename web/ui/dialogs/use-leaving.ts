import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useApp } from '../../app/app-context.tsx'

/**
 * Asks before a page with something unsaved is left: by its links, by Back and Forward, by signing out, and by `leave`.
 * The browser itself asks before a reload. `asked` is true while the question is open.
 */
export function useLeaving(isUnsaved: boolean) {
  const { leaveHold } = useApp()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ go: () => void } | null>(null)
  const isOff = useRef(false)

  useEffect(() => {
    if (!isUnsaved) return undefined
    const place = placeInHistory()
    let isReturning = false

    function holdLink(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (isOff.current || !link || !leadsAway(link, event)) return
      event.preventDefault()
      event.stopPropagation()
      const { pathname, search, hash } = link
      setWanted({ go: () => void navigate(pathname + search + hash) })
    }

    /** Puts the address back until the user agrees. */
    function holdPlace(event: PopStateEvent) {
      const steps = placeInHistory() - place
      if (isOff.current || Number.isNaN(steps)) return
      event.stopImmediatePropagation()
      if (isReturning) {
        isReturning = false
        return
      }
      isReturning = true
      history.go(-steps)
      setWanted({ go: () => void navigate(steps) })
    }

    const holdPage = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', holdLink, true)
    const release = leaveHold.hold({
      onHistory: holdPlace,
      onSignOut(go) {
        if (isOff.current) go()
        else setWanted({ go })
      },
    })
    window.addEventListener('beforeunload', holdPage)
    return () => {
      document.removeEventListener('click', holdLink, true)
      release()
      window.removeEventListener('beforeunload', holdPage)
    }
  }, [isUnsaved, navigate, leaveHold])

  return {
    asked: wanted !== null,
    leave(to: string) {
      if (isUnsaved) setWanted({ go: () => void navigate(to) })
      else void navigate(to)
    },
    stay: () => setWanted(null),
    discard() {
      isOff.current = true
      setWanted(null)
      wanted?.go()
    },
  }
}

/** The router counts the entries of the history of this tab; NaN where it did not. */
const placeInHistory = (): number => Number(Object(history.state).idx ?? Number.NaN)

/** To another page of this application, in this tab. */
function leadsAway(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey)
  const isHere = link.target !== '_blank' && link.origin === location.origin
  return isPlain && !event.altKey && isHere && link.pathname !== location.pathname
}
