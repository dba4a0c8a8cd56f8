import { readdirSync, readFileSync } from 'node:fs'
import { createRandom } from './prose.mjs'

/** Histories of articles for the benchmarks, of English sentences; the same seed makes the same history. */

const FOLDER = new URL('../api/demo/content/articles/', import.meta.url)
const SENTENCES = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .replace(/^---\n.*?\n---\n/s, '')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?]) /)),
)
const IN_A_PARAGRAPH = 4
/** Share of the kept versions in which an article grows; later ones change some sentences each. */
const GROWTH = 0.6

/**
 * The texts of one article as they are stored after pruning, first to last, with their numbers of words: from one
 * sentence to a document of about `bytes` bytes, of which each later version changes so many sentences.
 */
export function historyOf(seed, versions, bytes, changed = 1) {
  const random = createRandom(seed)
  const any = () => SENTENCES[Math.floor(random() * SENTENCES.length)]
  const sentences = []
  while (jsonOf(sentences).length < bytes) sentences.push(any())
  const grown = Math.round(versions * GROWTH)
  return Array.from({ length: versions }, (_, at) => {
    for (let sentence = 0; at >= grown && sentence < changed; sentence += 1) {
      sentences[Math.floor(random() * sentences.length)] = any()
    }
    const length = Math.ceil((sentences.length * Math.min(at + 1, grown)) / grown)
    const present = sentences.slice(0, length)
    return { json: jsonOf(present), words: present.join(' ').split(' ').length }
  })
}

function jsonOf(sentences) {
  const content = []
  for (let at = 0; at < sentences.length; at += IN_A_PARAGRAPH) {
    const text = sentences.slice(at, at + IN_A_PARAGRAPH).join(' ')
    content.push({ type: 'paragraph', content: [{ type: 'text', text }] })
  }
  return JSON.stringify({ type: 'doc', content })
}
