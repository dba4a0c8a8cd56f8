const ITEM = /^[ \t]*(?:[-*+]|\d{1,3}[.)]) +\S/gm
const CLEAR = [
  /^#{1,6} +\S/m,
  /\*\*(?=\S)[^*\n]+(?<=\S)\*\*/,
  /\[[^\]\n]+\]\((?:https?:|mailto:)[^\s)]+\)/i,
]

/** Whether a text was clearly written as Markdown: with a heading, two items of a list, strong words or a link. */
export const hasMarkdown = (text: string): boolean =>
  CLEAR.some((sign) => sign.test(text)) || (text.match(ITEM)?.length ?? 0) > 1
