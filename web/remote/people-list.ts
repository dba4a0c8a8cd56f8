import type { PeopleListAnswer, PeopleListBody } from '../../domain/wire/people-lists.ts'
import type { Send } from '../../sync/ports.ts'
import { createCheckedList } from './checked-list.ts'

/** The calls that invite several people from one list. */
export const createPeopleLists = (send: Send) =>
  createCheckedList<Pick<PeopleListBody, 'people'>, PeopleListAnswer>(
    send,
    '/users/list',
    ({ people }) => Array.isArray(people),
  )
