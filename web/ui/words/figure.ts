/**
 * Formats a whole number as English text: 12,500. Done by hand, because the first number that a browser formats loads
 * its tables of all languages and delays the page.
 */
export const figure = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

/** '1 article', '1,200 articles' */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : several}`

/** How far a text is: '458 of 700 words', or '458 words' without a minimum. */
export const progressOf = (words: number, minimum: number): string =>
  minimum === 0 ? wordsOf(words) : `${figure(words)} of ${wordsOf(minimum)}`

export const wordsOf = (words: number): string => counted(words, 'word')
