import type { CDPSession, Page } from '@playwright/test'
import { sentenceLike, sentenceShape } from '../sync/simulation/everyday.ts'
import type { Random } from '../sync/simulation/random.ts'
import { articleText } from './writer.ts'

/** A user's edits, with real keys and the real clipboard; the random source chooses them. */

const FUNCTION_WORDS =
  'the to of and a in is it for on with as that by at we you be this not'.split(' ')
const OTHER_WORDS = (
  'garden path light lamp stone gate wall team friendly today book free call night warm low hedge step post wire ' +
  'timer glow guide edge door water moss gravel brick border lawn plan price visit season client advice'
).split(' ')
/** Share of function words in prose. */
const FUNCTION_SHARE = 0.45
/** The last block, as a share of all. */
const LAST = 0.9999
const KEY_MS = 12
const WORD_MS = 60

export type Hands = ReturnType<typeof createHands>

/** One clipboard for all that are in the same browser: who cuts has it until the paste. */
export function createClipboard() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const mine = last.then(task, task)
    last = mine
    return mine
  }
}

/** `writer` is one letter. */
export function createHands(
  writer: string,
  random: Random,
  holdClipboard: ReturnType<typeof createClipboard>,
) {
  const typed: string[] = []
  const runs: string[] = []
  const sessions = new WeakMap<Page, CDPSession>()

  async function sessionOf(page: Page): Promise<CDPSession> {
    const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
    sessions.set(page, session)
    return session
  }

  function marker(): string {
    const word = `${writer}${typed.length}z`
    typed.push(word)
    return word
  }

  /** Every third word is a marker, at a third of the sentences none but the first. */
  function sentence(): string {
    const isPlain = random.chance(0.33)
    const words = Array.from({ length: random.between(5, 14) }, (_, at) => {
      if (at === 0 || (!isPlain && at % 3 === 0)) return marker()
      const others = random.chance(FUNCTION_SHARE) ? FUNCTION_WORDS : OTHER_WORDS
      return others[random.between(0, others.length - 1)] ?? 'the'
    })
    return `${words.join(' ')}.`
  }

  /**
   * Like `keyboard.type`, which waits for a response after each key: too slow for three fast writers on a busy machine.
   */
  async function type(page: Page, text: string): Promise<void> {
    const keys = await sessionOf(page)
    for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
      const sent = [...word].flatMap((key) => [
        keys.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key }),
        keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
      ])
      await Promise.all([...sent, page.waitForTimeout(WORD_MS)])
    }
  }

  async function press(page: Page, keys: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(keys, { delay: KEY_MS })
  }

  const place = (page: Page, where: 'start' | 'end' | 'inside', chance = random.next()) =>
    articleText(page).evaluate(placeCaret, { where, chance, inside: random.next() })

  /** An everyday sentence in pieces, with a marker in each. */
  function pieces(): string[] {
    const words = sentenceLike(sentenceShape(random), random)
    const found: string[] = []
    while (words.length > 0) {
      const piece = words.splice(0, random.between(2, 5))
      piece.splice(random.between(0, piece.length - 1), 0, marker())
      found.push(piece.join(' '))
    }
    return found
  }

  /** Types a sentence in one go, with pauses in it that are longer than the page waits before it saves. */
  async function say(page: Page): Promise<void> {
    const sentence = pieces()
    runs.push(sentence.join(' '))
    for (const [at, piece] of sentence.entries()) {
      if (at > 0) await page.waitForTimeout(random.between(300, 2_500))
      await type(page, ` ${piece}`)
    }
  }

  const actions = {
    async write(page: Page): Promise<void> {
      await place(page, random.chance(0.5) ? 'end' : 'inside')
      await type(page, ` ${sentence()}`)
      if (random.chance(0.2)) await press(page, 'Control+Backspace', random.between(1, 4))
    },
    /** Mostly at the end of the last block, where the others write too, or in its last sentence. */
    async say(page: Page): Promise<void> {
      const where = random.weighted({ end: 6, inside: 3 })
      await place(page, where, random.chance(0.7) ? LAST : random.next())
      await say(page)
    },
    async newParagraph(page: Page): Promise<void> {
      await place(page, 'end')
      await press(page, 'Enter')
      await type(page, `${sentence()} ${sentence()}`)
    },
    async split(page: Page): Promise<void> {
      await place(page, 'inside')
      await press(page, 'Enter')
      if (random.chance(0.4)) await type(page, `${sentence()} `)
    },
    async join(page: Page): Promise<void> {
      await place(page, 'start')
      await press(page, 'Backspace')
      await type(page, ' ')
    },
    async list(page: Page): Promise<void> {
      await place(page, 'inside')
      await press(page, random.chance(0.7) ? 'Control+Shift+8' : 'Control+Shift+7')
    },
    async heading(page: Page): Promise<void> {
      await place(page, 'inside')
      await press(page, 'Control+Alt+2')
    },
    async move(page: Page): Promise<void> {
      await holdClipboard(async () => {
        const chance = random.next()
        const blocks = random.between(1, 3)
        const found = await articleText(page).evaluate(selectBlocks, { chance, blocks })
        if (!found) return
        await press(page, 'Control+x')
        if (random.chance(0.5)) await press(page, 'Backspace')
        await page.waitForTimeout(random.between(20, 1_500))
        await place(page, 'end')
        await press(page, 'Enter')
        await press(page, 'Control+v')
      })
    },
    async undo(page: Page): Promise<void> {
      await press(page, 'Control+z', random.between(1, 4))
      if (random.chance(0.5)) await press(page, 'Control+Shift+z', random.between(1, 2))
    },
    async deleteWords(page: Page): Promise<void> {
      await place(page, random.chance(0.5) ? 'end' : 'inside')
      await press(page, 'Control+Backspace', random.between(1, 6))
    },
    async deleteParagraph(page: Page): Promise<void> {
      await articleText(page).evaluate(selectBlocks, { chance: random.next(), blocks: 1 })
      await press(page, 'Delete')
    },
    async rest(page: Page): Promise<void> {
      await page.waitForTimeout(random.between(100, 2_500))
    },
  }

  return {
    /** All markers so far. */
    typed,
    /** The sentences that were typed in one go. */
    runs,
    actions,
  }
}

type Spot = { where: 'start' | 'end' | 'inside'; chance: number; inside: number }

/**
 * Runs in the page: moves the caret to the start or end of a block, or after a word in it. Resolves after the editor has read
 * the selection, because a user's next key comes later than that.
 */
async function placeCaret(root: Element, { where, chance, inside }: Spot): Promise<void> {
  const blocks = [...root.querySelectorAll('p, h1, h2, h3, h4, h5, h6')]
  const block = blocks[Math.floor(chance * blocks.length)]
  if (!block || !(root instanceof HTMLElement)) return
  root.focus()
  const range = document.createRange()
  range.selectNodeContents(block)
  range.collapse(where === 'start')
  const text = block.firstChild
  if (where === 'inside' && text instanceof Text) {
    const ends = [...text.data.matchAll(/\S(?=\s|$)/g)].map(({ index }) => index + 1)
    const at = ends[Math.floor(inside * ends.length)] ?? 0
    range.setStart(text, at)
    range.collapse(true)
  }
  // There is no event if the selection does not change.
  const known = new Promise<void>((resolve) => {
    document.addEventListener('selectionchange', () => setTimeout(resolve), { once: true })
    setTimeout(resolve, 50)
  })
  getSelection()?.removeAllRanges()
  getSelection()?.addRange(range)
  await known
}

/** Runs in the page: selects some blocks that follow each other; false when there is too little. */
function selectBlocks(
  root: Element,
  { chance, blocks: count }: { chance: number; blocks: number },
) {
  const blocks = [...root.children]
  const first = Math.floor(chance * blocks.length)
  const [from, to] = [blocks[first], blocks[Math.min(blocks.length - 1, first + count - 1)]]
  if (!from?.textContent || !to?.textContent || blocks.length < 4 || !(root instanceof HTMLElement))
    return false
  root.focus()
  const range = document.createRange()
  range.setStart(from, 0)
  range.setEnd(to, to.childNodes.length)
  getSelection()?.removeAllRanges()
  getSelection()?.addRange(range)
  return true
}
