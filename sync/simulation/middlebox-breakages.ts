import type { KnownFault } from './breakages.ts'

/** Faults that only show with a proxy between page and server. */
export const middleboxFaults: readonly KnownFault[] = [
  {
    name: 'does not ask what its save replaced',
    seed: 23,
    hasMiddlebox: true,
    core: { overwriting: () => () => [] },
  },
  {
    name: 'believes the refusal of a packed body',
    seed: 1,
    hasMiddlebox: true,
    core: {
      sendingPacked: () => (exchange) => (request) => exchange(request, request.mayPack === true),
    },
  },
  {
    name: 'says in headers alone what it says of a change',
    seed: 105,
    hasMiddlebox: true,
    core: {
      addressOf:
        () =>
        ({ path }) =>
          path,
    },
  },
]
