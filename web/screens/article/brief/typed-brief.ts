import { noteText } from '../../../../domain/notes/note-text.ts'
import type { PlanBody } from '../../../../domain/wire/plans.ts'
import type { PlanRow } from '../../../../sync/store/database.ts'

/** A brief that is being written; `dueOn` is empty without a date. */
export type TypedBrief = {
  brief: string
  dueOn: string
  /** The counter of the plan that it grew from. */
  counter: number
}

/** Starts with the plan on this device. A plan of an earlier epoch is no longer the server's. */
export const typedOf = (plan: PlanRow | null): TypedBrief => ({
  brief: plan?.brief ?? '',
  dueOn: plan?.dueOn ?? '',
  counter: plan?.counter ?? 0,
})

/** Returns the plan in the form that is sent. */
export const planOf = ({ brief, dueOn }: TypedBrief): PlanBody => ({
  brief: noteText(brief),
  dueOn: dueOn === '' ? null : dueOn,
})

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
