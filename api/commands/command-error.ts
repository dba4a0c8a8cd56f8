/** The command cannot be carried out. The message is for the user who typed it. */
export class CommandError extends Error {}
