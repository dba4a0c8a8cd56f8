import { useQuery } from '@tanstack/react-query'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { notices } from '../../../app/notices.ts'
import { useChange } from '../use-change.ts'
import { useUsers } from '../use-remote.ts'

/** How often it is asked whether a queued mail has left. */
const QUEUED_MS = 15_000

const NONE: ReadonlyMap<string, Invitation> = new Map()

/** The open invitations of these users, by their ids. */
export function useInvitations(rows: readonly User[] = []): ReadonlyMap<string, Invitation> {
  const users = useUsers()
  const ids = rows.map(({ id }) => id)
  const { data = NONE } = useQuery({
    queryKey: ['invitations', ids],
    queryFn: async () =>
      new Map((await users.invitations(ids)).map((invitation) => [invitation.userId, invitation])),
    enabled: ids.length > 0,
    meta: { failure: 'Error retrieving users' },
    refetchInterval: ({ state }) =>
      [...(state.data?.values() ?? [])].some((invitation) => invitation.state === 'queued') &&
      QUEUED_MS,
  })
  return data
}

/** Sends an invitation from the list. */
export function useSendAgain() {
  const users = useUsers()
  return useChange<User>({
    call: ({ id }) => users.invite(id),
    failure: 'Error sending the invitation',
    onDone: ({ email }) =>
      notices.success(
        'Invitation sent again',
        `It goes to ${email}. The earlier link no longer works.`,
      ),
  })
}
