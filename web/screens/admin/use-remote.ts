import { useMemo } from 'react'
import { useSend } from '../../app/app-context.tsx'
import { type Articles, createArticles } from '../../remote/articles.ts'
import { type Clients, createClients } from '../../remote/clients.ts'
import { createUndeliveredTexts, type UndeliveredTexts } from '../../remote/undelivered-texts.ts'
import { createUsers, type Users } from '../../remote/users.ts'

/** The calls of the agency, as the signed-in admin. */

export function useUsers(): Users {
  const send = useSend()
  return useMemo(() => createUsers(send), [send])
}

export function useClients(): Clients {
  const send = useSend()
  return useMemo(() => createClients(send), [send])
}

export function useArticles(): Articles {
  const send = useSend()
  return useMemo(() => createArticles(send), [send])
}

export function useUndeliveredTexts(): UndeliveredTexts {
  const send = useSend()
  return useMemo(() => createUndeliveredTexts(send), [send])
}
