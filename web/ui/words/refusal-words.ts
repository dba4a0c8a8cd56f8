import { ownMessage } from '../../../domain/wire/status-message.ts'

export const GENERAL_ERROR = 'An error has occured'

/** What a screen says of a refusal: its message, or the general text where the server wrote none. */
export const refusalWords = (message: string): string => ownMessage(message) ?? GENERAL_ERROR
