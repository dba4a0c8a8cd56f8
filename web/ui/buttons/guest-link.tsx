import { Link, type LinkProps, useLocation } from 'react-router-dom'

/** From one page of guests to another: what the login leads to goes along (Q7). */
export function GuestLink(props: LinkProps) {
  return <Link {...props} state={useLocation().state} />
}
