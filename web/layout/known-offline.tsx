import { Offline } from './offline.tsx'
import { useOffline } from './use-offline.ts'

/** For a signed-in user: what any tab knows of the connection to the server. */
export const KnownOffline = () => useOffline() && <Offline />
