import { ownMessage } from '../../../domain/wire/status-message.ts'

export const GENERAL_ERROR = 'An error has occured'

/** What a screen says of a refusal: its message, or the general text where the server wrote none. */
export const refusalWords = (message: string): string => ownMessage(message) ?? GENERAL_ERROR

/** Of a list whose run had no answer; a key keeps it from being done twice. */
export const RUN_NOT_ANSWERED =
  'No answer came, so it is not known what was done. Try again: nothing is done twice.'
