/** What was asked for cannot be done. The message is for whoever typed the command. */
export class CommandError extends Error {}
