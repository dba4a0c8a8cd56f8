import './admin-kit.css'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { AdminLayout } from './admin-layout.tsx'

/** Drops the data loaded for an admin when the area is left, and so also at sign-out. */
export function AdminArea() {
  const { sessions } = useApp()
  const [queries] = useState(() => createQueries(() => sessions.store.getState().session !== null))
  return (
    <QueryClientProvider client={queries}>
      <AdminLayout />
    </QueryClientProvider>
  )
}

/**
 * Calls are not paused while the browser reports that it is offline: a failed call shows its error at once, and is
 * retried once there is a network. After a sign-out no error is shown for lists that are no longer allowed.
 */
function createQueries(isSignedIn: () => boolean): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (isSignedIn()) notices.fail(meta?.failure ?? 'Error', error)
      },
    }),
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  })
}

declare module '@tanstack/react-query' {
  interface Register {
    /** `failure` is the title of the snackbar. */
    queryMeta: { failure: string }
  }
}
