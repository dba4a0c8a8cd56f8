/** Google Docs writes an empty line between two blocks as a break that is in neither. */
const BREAK_BETWEEN_BLOCKS = /(<\/(?:p|h[1-6]|ul|ol|table|blockquote)>)\s*(?:<br\b[^>]*>\s*)+/gi

/** Parts that stand for themselves, and that the editor would read as one run of words with what follows. */
const PART = /<(td|th|caption|summary|legend)\b[^>]*>|<\/(?:td|th|caption|summary|legend)>/gi

/**
 * What the editor is to read of pasted HTML. Word has no lists in its markup, only paragraphs that look like
 * items; they become lists. Everything else is left to the schema, which drops what an article cannot have.
 */
export function pastedMarkup(html: string): string {
  const blocks = html.replace(BREAK_BETWEEN_BLOCKS, '$1')
  const parted = blocks.replace(PART, (tag, opens) => (opens ? `${tag}<div>` : `</div>${tag}`))
  const whole = parted.includes('mso-list') ? withLists(parted) : parted
  // The page's default policy for markup refuses tags but lets plain words through, and the editor would then
  // ask only it for every later paste. Words in a tag make the editor use its own policy from the start.
  return whole.includes('<') ? whole : `<span>${whole}</span>`
}

const ITEM = /<p\b[^>]*mso-list:\s*l\d+\s+level(\d+)[^>]*>([\s\S]*?)<\/p>\s*/gi
/** The bullet or number that Word draws itself. */
const MARKER = /<!(?:--)?\[if !supportLists\](?:--)?>([\s\S]*?)<!(?:--)?\[endif\](?:--)?>/i
const NUMBER = /^(?:\d+|[a-z]{1,4})[.)]/i

type Item = { level: number; ordered: boolean; words: string }

/** A run of items is one list, or several inside each other. */
function withLists(html: string): string {
  let items: Item[] = []
  let end = 0
  let result = ''
  const close = () => {
    result += lists(items)
    items = []
  }
  for (const match of html.matchAll(ITEM)) {
    const between = html.slice(end, match.index)
    if (between.trim() !== '') {
      close()
      result += between
    }
    items.push(itemOf(Number(match[1]), match[2] ?? ''))
    end = match.index + match[0].length
  }
  close()
  return result + html.slice(end)
}

function itemOf(level: number, content: string): Item {
  const marker = plain(MARKER.exec(content)?.[1] ?? '')
  return { level, ordered: NUMBER.test(marker), words: content.replace(MARKER, '') }
}

const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .trim()

/** Opens and closes as the levels go up and down; a change of kind on one level begins another list. */
function lists(items: readonly Item[]): string {
  const open: string[] = []
  let markup = ''
  const closeTo = (depth: number) => {
    while (open.length > depth) markup += `</li></${open.pop()}>`
  }
  for (const { level, ordered, words } of items) {
    const kind = ordered ? 'ol' : 'ul'
    const depth = Math.min(level, open.length + 1)
    closeTo(depth)
    if (open.length === depth && open[depth - 1] !== kind) closeTo(depth - 1)
    markup += open.length === depth ? '</li>' : `<${kind}>`
    if (open.length < depth) open.push(kind)
    markup += `<li><p>${words}</p>`
  }
  closeTo(0)
  return markup
}
