import { Navigate } from 'react-router-dom'
import { useSession } from '../app/app-context.tsx'
import { landingPath } from '../app/guard.ts'

/** `/` shows nothing of its own (spec section 2). */
export function Landing() {
  return <Navigate replace to={landingPath(useSession())} />
}
