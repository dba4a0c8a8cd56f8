import './admin-kit.css'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { AdminLayout } from './admin-layout.tsx'

/** What was loaded for an admin is forgotten when the area is left, and with it when somebody signs out. */
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
 * Nothing is kept back while the browser thinks it is offline: a failed call says so at once, and is made again once there
 * is a network. Whoever was signed out meanwhile is not told that the lists are closed.
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
