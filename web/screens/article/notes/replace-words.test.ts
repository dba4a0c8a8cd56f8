import { getSchema } from '@tiptap/core'
import { history, undo } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../../scripts/test-depth.ts'
import { ARTICLE_EXTENSIONS } from '../editor/article-extensions.ts'
import { replacingTransaction } from './replace-words.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)
const link = schema.mark('link', { href: 'https://larkspurgardens.example/' })
const MARKS = [[], [], [schema.mark('bold')], [schema.mark('italic')], [link]]
const WORDS = 'half of the lamps they had planned for this path'.split(' ')

function randomOf(seed: number) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, pick: <T>(list: readonly T[]) => list[below(list.length)] as T }
}

type Random = ReturnType<typeof randomOf>

const wordsOf = ({ below, pick }: Random, least: number): string[] =>
  Array.from({ length: least + below(5) }, () => pick(WORDS))

/** A paragraph, heading or item with words that have marks of their own. */
function blockOf(random: Random): { block: Node; start: number } {
  const text = wordsOf(random, 3).map((word, at) =>
    schema.text(at === 0 ? word : ` ${word}`, random.pick(MARKS)),
  )
  const paragraph = schema.node('paragraph', null, text)
  const kind = random.below(3)
  if (kind === 0) return { block: paragraph, start: 1 }
  if (kind === 1) return { block: schema.node('heading', { level: 2 }, text), start: 1 }
  const item = schema.node('listItem', null, [paragraph])
  return { block: schema.node('bulletList', null, [item]), start: 3 }
}

/** Each letter with its marks, as a person sees them. */
function lettersOf(doc: Node): string[] {
  const letters: string[] = []
  doc.descendants((node) => {
    const marks = node.marks.map(({ type }) => type.name).join('+')
    for (const letter of node.text ?? '') letters.push(`${letter} ${marks}`)
  })
  return letters
}

test('words are replaced exactly, what is around them stays, and one undo takes it back', () => {
  for (let seed = 1; seed <= randomRuns(1_000); seed += 1) {
    const random = randomOf(seed)
    const { block, start } = blockOf(random)
    const text = block.textContent
    const starts = [...text.matchAll(/\S+/g)].map(({ index }) => index)
    const [from, last] = [random.pick(starts), random.pick(starts)].sort((a, b) => a - b) as [
      number,
      number,
    ]
    const to = last + (/^\S+/.exec(text.slice(last))?.[0].length ?? 0)
    const words = wordsOf(random, 1).join(' ')

    const before = EditorState.create({
      doc: schema.node('doc', null, [block]),
      plugins: [history()],
    })
    const range = { from: start + from, to: start + to }
    const after = before.apply(replacingTransaction(before, range, words))

    expect(after.doc.textContent, `seed ${seed}`).toBe(text.slice(0, from) + words + text.slice(to))
    const [was, is] = [lettersOf(before.doc), lettersOf(after.doc)]
    expect(is.slice(0, from)).toEqual(was.slice(0, from))
    expect(is.slice(from + words.length)).toEqual(was.slice(to))
    const marks = new Set(was.slice(from, to).map((letter) => letter.slice(2)))
    for (const letter of is.slice(from, from + words.length))
      expect(marks).toContain(letter.slice(2))
    expect(after.selection.from).toBe(start + from + words.length)

    let undone = after
    undo(after, (tr) => {
      undone = after.apply(tr)
    })
    expect(undone.doc.eq(before.doc), `seed ${seed}`).toBe(true)
  }
})
