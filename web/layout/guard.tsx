import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { useApp } from '../app/app-context.tsx'
import { type Access, redirectFor } from '../app/guard.ts'
import { paths, readWanted } from '../app/paths.ts'

/** Lets users with `access` in and redirects the others as spec section 2 says. */
export function Guard({ access }: { access: Access }) {
  const { session, leftOnPurpose, lastUserId, endedUser } = useStore(useApp().sessions.store)
  const { pathname, search, state } = useLocation()
  const wanted = readWanted(state, session)
  const target = redirectFor(access, session, wanted)
  if (target === null) return <Outlet />
  const forced = target === paths.login && !leftOnPurpose
  const ended = endedUser !== null
  const leads = forced ? { wanted: pathname + search, by: lastUserId, ended } : null
  return <Navigate replace to={target} state={leads} />
}
