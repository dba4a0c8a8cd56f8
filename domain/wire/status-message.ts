/** The message of a response that has none, for logs (spec section 8). */
export const statusMessage = (status: number): string => `Request failed with status code ${status}`

/** What the server wrote; null where the message is that of `statusMessage`. */
export const ownMessage = (message: string): string | null =>
  /^Request failed with status code \d+$/.test(message) ? null : message
