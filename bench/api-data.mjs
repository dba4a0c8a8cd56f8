/** Data and requests of every server of bench/api.mjs. */

export const ARTICLES = 2_000
export const CLIENTS = 50
const WORDS = 'garden path lamp hedge fern gravel birch pond rose wall stone water'.split(' ')

/** A document of about 10 KB as JSON, in paragraphs of 60 words. */
export function documentOf(seed) {
  const paragraphs = Array.from({ length: 25 }, (_, paragraph) => {
    const words = Array.from(
      { length: 60 },
      (_, word) => WORDS[(seed * 7 + paragraph * 13 + word * word) % WORDS.length],
    )
    const first = paragraph === 0 ? `counter-${String(seed).padStart(10, '0')} ` : ''
    return {
      type: 'paragraph',
      content: [{ type: 'text', text: `${first}${words.join(' ')}.` }],
    }
  })
  return { type: 'doc', content: paragraphs }
}

export const keywordsOf = (seed) =>
  Array.from({ length: 20 }, (_, index) => ({
    keyword: `${WORDS[(seed + index) % 12]} ${WORDS[(seed * index) % 12]}`,
    source: 'bench',
    score: index,
    category: '',
  }))

export const nameOf = (seed) => `A garden article nr ${seed} about the ${WORDS[seed % 12]}`

/** UUIDs that count. */
export const idOf = (kind, seed) =>
  `0195a000-0000-7000-8${String(kind).padStart(3, '0')}-${String(seed).padStart(12, '0')}`
