/** `text` one up or down, between 0 and `max`; what is no whole number stays as it is. */
export function stepped(text: string, by: 1 | -1, max: number): string {
  const typed = text.trim()
  if (typed === '') return '0'
  if (!/^\d+$/.test(typed)) return text
  return String(Math.min(max, Math.max(0, Number(typed) + by)))
}
