/** Where the letter begins that has the code unit `at`: a letter with its marks is one, and so is an emoji. */
export const letterStart = (text: string, at: number): number =>
  new Intl.Segmenter().segment(text).containing(at)?.index ?? text.length

/** At most `max` code units of the text, with '…' where it was cut; no letter is cut. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, letterStart(text, max)).trimEnd()}…`
