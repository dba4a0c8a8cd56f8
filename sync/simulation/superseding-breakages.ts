import type { HttpRequest } from '../ports.ts'
import type { KnownFault } from './breakages.ts'
import type { Breakage } from './browser.ts'

/** Faults in how a save names the earlier ones whose outcome is unknown. */
export const supersedingFaults: readonly KnownFault[] = [
  {
    name: 'names no earlier saves',
    seed: 5,
    send: naming(() => []),
  },
  {
    name: 'names more saves than the server reads',
    seed: 5,
    send: naming((keys) => [...keys, ...Array.from({ length: 30 }, (_, at) => `no-save-${at}`)]),
  },
  {
    name: 'names the earlier saves of another article',
    seed: 5,
    send: (...given) => {
      const known = new Map<string, string[]>()
      return naming((keys, path) => {
        known.set(path, [...(known.get(path) ?? []), ...keys])
        return [...known].flatMap(([other, others]) => (other === path ? [] : others)).slice(-20)
      })(...given)
    },
  },
  {
    name: 'takes every text that was refused for an earlier one of its own',
    seed: 10,
    send: (send) => async (request) => {
      const answer = await send(request)
      const { revision } = (answer.json as Refusal | undefined)?.current ?? {}
      return revision === undefined
        ? answer
        : send(withKeys(request, [...namedIn(request), revision]))
    },
  },
  {
    name: 'merges an earlier save of its own like the text of another writer',
    seed: 10,
    hasVariety: true,
    core: { ownText: () => () => undefined },
  },
]

type Refusal = { current?: { revision?: string } }
type Send = NonNullable<Breakage['send']>

/** What a save names in the place of the keys of its earlier ones. */
function naming(change: (keys: string[], path: string) => string[]): Send {
  return (send) => (request) => {
    const named = namedIn(request)
    if (request.method !== 'PATCH' || named.length === 0) return send(request)
    return send(withKeys(request, change(named, request.path)))
  }
}

const namedIn = ({ headers }: HttpRequest): string[] =>
  headers?.['Contun-Supersedes']?.split(',') ?? []

function withKeys(request: HttpRequest, keys: readonly string[]): HttpRequest {
  const { 'Contun-Supersedes': _, ...headers } = request.headers ?? {}
  const named = keys.length === 0 ? {} : { 'Contun-Supersedes': keys.join() }
  return { ...request, headers: { ...headers, ...named } }
}
