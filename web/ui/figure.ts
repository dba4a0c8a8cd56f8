/**
 * A whole number as English text writes it: 12,500. By hand, because the first number that a browser formats makes a page
 * that is being opened wait for its tables of all languages.
 */
export const figure = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

export const wordsOf = (words: number): string =>
  `${figure(words)} ${words === 1 ? 'word' : 'words'}`
