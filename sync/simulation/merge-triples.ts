import type { ArticleDocument } from '../../domain/text/document.ts'
import { createRandom, type Random } from './random.ts'
import {
  ALL_EDITS,
  createWriter,
  type Edits,
  editAll,
  LINKING,
  linkSome,
  TYPING,
  type Vocabulary,
} from './random-edits.ts'
import { type Box, copyOf, documentOf, tidy, type Word, wordsIn } from './random-text.ts'
import { sentenceTexts } from './sentence-texts.ts'

/**
 * Random texts that two writers changed at the same time. Each typed word has an id of its own, so the required result
 * is known without calling the merge.
 *
 * All kinds of edits but links, or typing alone: added and removed words, and lines split and joined; or all kinds with
 * many links, each link that is set with an address of its own; or whole sentences, typed at the same place by both in
 * half of the merges, with all kinds of edits.
 */
export type Acts = 'all' | 'typing' | 'linking' | 'sentences'

export type Side = 'base' | 'mine' | 'theirs'
export type Triple = Record<Side, ArticleDocument> & {
  /** The words of each text, block by block; `both`: of the text that the two writers had when they parted. */
  words: Record<Side | 'both', Word[][]>
}

export function tripleOf(
  seed: number,
  vocabulary: Vocabulary = 'unique',
  acts: Acts = 'all',
): Triple {
  const random = createRandom(seed)
  const { base, both, mine, theirs } =
    acts === 'sentences' ? sentenceTexts(random, vocabulary) : textsOf(random, vocabulary, acts)
  return {
    base: documentOf(base),
    mine: documentOf(mine),
    theirs: documentOf(theirs),
    words: {
      base: wordsIn(base),
      both: wordsIn(both),
      mine: wordsIn(mine),
      theirs: wordsIn(theirs),
    },
  }
}

const KINDS: Record<Exclude<Acts, 'sentences'>, Edits> = {
  all: ALL_EDITS,
  typing: TYPING,
  linking: LINKING,
}

function textsOf(random: Random, vocabulary: Vocabulary, acts: Exclude<Acts, 'sentences'>) {
  const base: Box = { type: 'doc', children: [] }
  const writer = createWriter('b', random, vocabulary)
  const most = random.chance(0.1) ? 40 : 14
  for (let left = random.between(2, most); left > 0; left -= 1) base.children.push(writer.newPart())
  tidy(base)
  if (acts === 'linking') linkSome(base, writer)
  const both = copyOf(base)
  if (random.chance(0.3))
    editAll(both, createWriter('c', random, vocabulary), KINDS[acts], random.between(1, 2))
  const [mine, theirs] = ['m', 't'].map((name) => {
    const side = copyOf(both)
    editAll(side, createWriter(name, random, vocabulary), KINDS[acts], random.between(0, 5))
    return side
  }) as [Box, Box]
  return { base, both, mine, theirs }
}
