/** Texts for the benchmarks; the same seed makes the same text. */

/** Uniform in [0, 1). */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES = ['ga', 'ren', 'lo', 'mi', 'path', 'er', 'to', 'sun', 'ka', 'wel', 'din', 'o']

/** A word of one to four syllables; `number` names it. */
export function wordOf(number) {
  let word = ''
  for (let left = number + 1; left > 0; left = Math.floor(left / SYLLABLES.length)) {
    word += SYLLABLES[left % SYLLABLES.length]
  }
  return word
}

/** Paragraphs of `perBlock` words, of which some are far more common than others. */
export function paragraphs(seed, words, perBlock = 60) {
  const random = createRandom(seed)
  return Array.from({ length: Math.ceil(words / perBlock) }, (_, block) =>
    Array.from({ length: Math.min(perBlock, words - block * perBlock) }, () =>
      wordOf(Math.floor(3_000 * random() ** 3)),
    ).join(' '),
  )
}

export function documentOf(blocks) {
  return {
    type: 'doc',
    content: blocks.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
  }
}

/** A document whose JSON has about so many bytes. */
export function documentOfBytes(seed, bytes) {
  const blocks = paragraphs(seed, Math.ceil(bytes / 4))
  let size = 0
  const fitting = blocks.findIndex((text) => {
    size += text.length + 70
    return size >= bytes
  })
  return documentOf(blocks.slice(0, fitting + 1))
}
