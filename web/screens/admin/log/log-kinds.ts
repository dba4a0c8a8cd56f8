import type { LogKind } from '../../../../domain/wire/log.ts'

/** The filter by kind, in its order. */
export const KIND_NAMES: Record<LogKind, string> = {
  completed: 'Completed',
  reopened: 'Reopened',
  changed: 'Settings and entities',
  texts: 'Merged and restored texts',
  created: 'Created',
  deleted: 'Deleted articles',
  clients: 'Clients',
  users: 'Users',
  programs: 'Access for programs',
  'undelivered-texts': 'Recovered texts',
  server: 'Server',
}
