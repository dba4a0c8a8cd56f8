/** Alphabetical, whatever the case (spec section 2). */
export const byName = new Intl.Collator(undefined, { sensitivity: 'accent', numeric: true })
