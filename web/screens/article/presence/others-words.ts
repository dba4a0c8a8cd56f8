import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { Others } from '../../../../domain/wire/presence.ts'

/** 'Tobias Wren is writing here', 'Ada Fenwick and Tobias Wren are here', 'Ada, Eve, Otto and 4 others are here' */
export function othersWords({ people, count }: Others): string {
  const [first] = people
  if (first && count === 1) return `${first.name} is ${first.writing ? 'writing' : 'reading'} here`
  return `${enumerated([...people.map(({ name }) => name), ...more(count - people.length)])} are here`
}

const more = (count: number): string[] => {
  if (count <= 0) return []
  return [count === 1 ? '1 other' : `${count} others`]
}

/** What a screen reader says of those who came. */
export const arrivalWords = (names: readonly string[]): string =>
  `${enumerated(names)} ${names.length === 1 ? 'is' : 'are'} here`
