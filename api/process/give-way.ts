/** Lets other work of the event loop run between the parts of a long piece of work. */
export const giveWay = (): Promise<void> => new Promise((others) => setImmediate(others))
