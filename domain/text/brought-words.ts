import { plainText } from './article-text.ts'
import { diff } from './diff.ts'
import type { ArticleText } from './document.ts'

/**
 * Returns a function to call with each version of a text, oldest first. It returns whether the version has words of `text`
 * that none of the versions before it has. A sentence that was moved is the same sentence.
 */
export function createWordTracer(text: ArticleText): (version: ArticleText) => boolean {
  const sentences = sentencesOf(text)
  const own = new Set(sentences)
  const words = wordsOf(sentences)
  const distinct = [...new Set(words.map(({ sentence }) => sentence))]
  const open = new Set(words)
  return (version) => {
    const others = sentencesOf(version)
    const known = new Set(others)
    const kept = new Set(distinct.filter((sentence) => known.has(sentence.text)))
    const changed = words.filter(({ sentence }) => !kept.has(sentence))
    const same = keptWords(wordsOf(others.filter((sentence) => !own.has(sentence))), changed)
    const found = [...open].filter((word) => kept.has(word.sentence) || same.has(word))
    for (const word of found) open.delete(word)
    return found.length > 0
  }
}

/** Equal sentences of a text are one object, so that nothing compares a long one for each of its words. */
type Sentence = { text: string; length: number }
type Word = { word: string; sentence: Sentence }

/** The words that are the same before and after, in sentences that are the same in at least half of their words. */
function keptWords(before: readonly Word[], after: readonly Word[]): Set<Word> {
  const pairs = pairsOf(before, after)
  const counts = new Map<Sentence, number>()
  const count = ({ sentence }: Word) => counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  for (const pair of pairs) pair.forEach(count)
  const isMost = ({ sentence }: Word) => 2 * (counts.get(sentence) ?? 0) >= sentence.length
  return new Set(pairs.filter((pair) => pair.some(isMost)).map(([, word]) => word))
}

function pairsOf(before: readonly Word[], after: readonly Word[]): [Word, Word][] {
  const spelled = ({ word }: Word) => word
  const replaced = new Set<number>()
  const removed = new Set<number>()
  for (const { from, to, newFrom, newTo } of diff(before.map(spelled), after.map(spelled))) {
    for (let at = from; at < to; at += 1) removed.add(at)
    for (let at = newFrom; at < newTo; at += 1) replaced.add(at)
  }
  const kept = before.filter((_, at) => !removed.has(at))
  return after
    .filter((_, at) => !replaced.has(at))
    .flatMap((word, at): [Word, Word][] => {
      const former = kept[at]
      return former ? [[former, word]] : []
    })
}

const SENTENCE_END = /\n|(?<=[.!?…]["”’»)]*)\s+|(?<=[。！？])/u
/** Scripts without spaces have a word for each letter here. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[\p{L}\p{M}\p{N}]+/gu

const sentencesOf = (text: ArticleText): string[] => plainText(text).split(SENTENCE_END)

function wordsOf(sentences: readonly string[]): Word[] {
  const known = new Map<string, Sentence>()
  return sentences.flatMap((text) => {
    const found = text.match(WORD) ?? []
    const sentence = known.get(text) ?? { text, length: found.length }
    known.set(text, sentence)
    return found.map((word) => ({ word, sentence }))
  })
}
