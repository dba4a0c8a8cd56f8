/** 'Imogen Hale, Ada Fenwick and Tobias Wren' */
export const enumerated = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
