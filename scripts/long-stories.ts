/** Whether `npm test` leaves every story of `text` with this part of a title to `npm run test:long`. */
export function isLong(text: string, title: string): boolean {
  const parts = text.split(title).slice(1)
  return parts.length > 0 && parts.every((rest) => /^[^'`\n]* @long['`]/.test(rest))
}
