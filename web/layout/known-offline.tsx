import { Offline } from './offline.tsx'
import { useOffline } from './use-offline.ts'

/** For a signed-in person: what any tab knows of the way to the server. */
export const KnownOffline = () => useOffline() && <Offline />
