/** A letter of Han or Kana is a word; other scripts without spaces are split by Intl.Segmenter, at most 1,000 letters at once: its time grows faster. */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?<unspaced>(?:[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*){1,1000})|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}’'])+/gu

let segmenter: Intl.Segmenter | undefined

/** The words of a line without the signs around them, in small letters: a sentence that moves keeps its words. */
export function wordsOfLine(line: string): string[] {
  const words: string[] = []
  for (const { 0: word, groups } of line.toLowerCase().matchAll(WORD)) {
    if (groups?.unspaced === undefined) {
      if (/[\p{L}\p{N}]/u.test(word)) words.push(word)
      continue
    }
    segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
    for (const { segment } of segmenter.segment(word)) words.push(segment)
  }
  return words
}
