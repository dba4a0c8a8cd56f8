import { linkedTo, setAddress } from './addresses.ts'
import { NONE, range } from './align.ts'
import type { Side } from './changes.ts'
import type { Token } from './tokens.ts'

/** Neighbouring tokens of the base that a side linked to one address. The end is exclusive. */
type LinkRun = { from: number; to: number; sign: string }

/**
 * The words that `other` linked and of which `side` removed all: the address would go with them. Where some are left, the
 * link is on those, and on words that replace others between them.
 */
export function linkedGone(base: Token[], side: Side, other: Side): LinkRun[] {
  const runs = linkRuns(base, other)
  if (runs.length === 0) return []
  for (const { from, to, sign } of runs)
    for (const change of side.own)
      if (from < change.at && change.at < change.end && change.end < to)
        change.tokens = linkedTo(change.tokens, sign)

  const gone = new Set(side.own.flatMap(({ at, end }) => range(at, end)))
  return runs.filter(({ from, to }) => range(from, to).every((at) => gone.has(at)))
}

function linkRuns(base: Token[], { tokens, matches }: Side): LinkRun[] {
  const runs: LinkRun[] = []
  for (const [at, token] of base.entries()) {
    const now = tokens[matches[at] ?? NONE]
    const sign = now ? setAddress(token, now) : null
    const last = runs.at(-1)
    if (sign !== null && last?.to === at && last.sign === sign) last.to += 1
    else if (sign !== null) runs.push({ from: at, to: at + 1, sign })
  }
  return runs
}
