/** Returns the index at which the grapheme that contains the code unit `at` starts. */
export const letterStart = (text: string, at: number): number =>
  new Intl.Segmenter().segment(text).containing(at)?.index ?? text.length

/** Returns the text, cut to at most `max` code units and '…' if it is longer. No grapheme is split. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, letterStart(text, max)).trimEnd()}…`
