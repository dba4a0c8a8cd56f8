import type { Role } from '../../domain/wire/users.ts'

/** Users and clients of the demo. `key` is their name in the front matter of the articles. */

export type DemoUser = {
  key: string
  name: string
  email: string
  role: Role
  /** Easy to read from the terminal and to type; without spaces. */
  password: string
}

export const DEMO_USERS: readonly DemoUser[] = [
  {
    key: 'rowan',
    name: 'Rowan Ashdown',
    email: 'rowan@moonandowl.example',
    role: 'admin',
    password: 'lamp-and-ladder',
  },
  {
    key: 'clara',
    name: 'Clara Whitlock',
    email: 'clara@moonandowl.example',
    role: 'admin',
    password: 'paper-and-ink',
  },
  {
    key: 'imogen',
    name: 'Imogen Hale',
    email: 'imogen@larkspurgardens.example',
    role: 'user',
    password: 'birch-and-fern',
  },
  {
    key: 'tobias',
    name: 'Tobias Wren',
    email: 'tobias@larkspurgardens.example',
    role: 'user',
    password: 'spade-and-barrow',
  },
  {
    key: 'ada',
    name: 'Ada Fenwick',
    email: 'ada@harbourandhearth.example',
    role: 'user',
    password: 'oak-and-brass',
  },
  {
    key: 'esther',
    name: 'Esther Lindqvist',
    email: 'esther@moonandowl.example',
    role: 'user',
    password: 'comma-and-stop',
  },
]

export type DemoClient = {
  key: string
  name: string
  moonOwlClient: boolean
  /** Keys of users. */
  users: readonly string[]
  /** Days since it was deleted: missing from every list, open to its users by direct link (Q32). */
  deletedDaysAgo?: number
}

export const DEMO_CLIENTS: readonly DemoClient[] = [
  {
    key: 'house-journal',
    name: 'Moon & Owl House Journal',
    moonOwlClient: true,
    users: ['esther', 'clara'],
  },
  {
    key: 'larkspur-gardens',
    name: 'Larkspur Gardens',
    moonOwlClient: false,
    users: ['imogen', 'tobias'],
  },
  {
    key: 'harbour-hearth',
    name: 'Harbour & Hearth Kitchens',
    moonOwlClient: false,
    users: ['ada', 'esther'],
  },
  {
    key: 'aldersea-boatworks',
    name: 'Aldersea Boatworks',
    moonOwlClient: false,
    users: ['tobias'],
    deletedDaysAgo: 60,
  },
]
