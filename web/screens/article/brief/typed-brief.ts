/** A brief that is being written; `dueOn` is empty without a date. */
export type TypedBrief = {
  brief: string
  dueOn: string
  /** The counter of the plan that it grew from. */
  counter: number
}

/** As it is kept on this computer. */
export const typedText = ({ brief, dueOn, counter }: TypedBrief): string =>
  JSON.stringify({ brief, dueOn, counter })

/** Null when the text is no typed brief. */
export function readTypedBrief(text: string): TypedBrief | null {
  try {
    const { brief, dueOn, counter } = JSON.parse(text) as Partial<TypedBrief>
    const isBrief = typeof brief === 'string' && typeof dueOn === 'string'
    return isBrief && typeof counter === 'number' ? { brief, dueOn, counter } : null
  } catch {
    return null
  }
}
