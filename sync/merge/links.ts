import { linkedTo, setAddress } from './addresses.ts'
import { NONE, range } from './alignment.ts'
import type { Addition, Side } from './text.ts'
import { isWord, type Token } from './tokens.ts'

/** Neighbouring tokens of the base that a side linked to one address. The end is exclusive. */
type LinkRun = { from: number; to: number; sign: string }

/**
 * Keeps the links that `other` set on words that `side` removed. Where some of the words are left, the link is on those;
 * words that replace the others, and nothing around them, become part of it. Where none is left, they come back: the
 * places of these tokens are the result.
 */
export function keepLinks(base: Token[], side: Side, other: Side): number[] {
  return linkRuns(base, other).flatMap((run) => {
    const places = range(run.from, run.to)
    const gone = places.filter((at) => side.matches[at] === NONE)
    if (gone.length === 0) return []
    const isReplaced = linkReplacements(side.added, run)
    return gone.length < places.length || isReplaced ? [] : gone
  })
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

/** Whether words replace some of the run and are links to its address now: those that have no address of their own. */
function linkReplacements(added: Map<number, Addition>, run: LinkRun): boolean {
  let isReplaced = false
  for (let at = run.from + 1; at <= run.to; at += 1) {
    const addition = added.get(at)
    if (!addition || addition.from < run.from || addition.from === at) continue
    const isLine = addition.tokens.every(({ leaf }) => leaf === null)
    const isFree = addition.tokens.some((token) => isWord(token) && token.links === '')
    if (!isLine || !isFree) continue
    const continues = at < run.to
    added.set(at, { ...addition, tokens: linkedTo(addition.tokens, run.sign, continues) })
    isReplaced = true
  }
  return isReplaced
}
