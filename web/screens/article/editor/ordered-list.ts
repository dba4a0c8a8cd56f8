import { Node, wrappingInputRule } from '@tiptap/core'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    orderedList: { toggleOrderedList: () => ReturnType }
  }
}

/** What the styles of other programs call the kinds of numbers. */
const TYPES = new Map([
  ['upper-roman', 'I'],
  ['lower-roman', 'i'],
  ['upper-alpha', 'A'],
  ['upper-latin', 'A'],
  ['lower-alpha', 'a'],
  ['lower-latin', 'a'],
])

/** The list with numbers. Typed, it begins with a number, a dot and a space; pasted lines with numbers stay lines. */
export const OrderedList = Node.create({
  name: 'orderedList',
  group: 'block list',
  content: 'listItem+',
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (list) => Number.parseInt(list.getAttribute('start') ?? '1', 10),
    },
    type: { default: null, parseHTML: typeOf },
  }),
  parseHTML: () => [{ tag: 'ol' }],
  renderHTML: ({ HTMLAttributes: { start, type } }) => [
    'ol',
    { dir: 'auto', ...(start !== 1 && { start }), ...(type && type !== '1' && { type }) },
    0,
  ],
  addCommands() {
    return {
      toggleOrderedList:
        () =>
        ({ commands }) =>
          commands.toggleList(this.name, 'listItem'),
    }
  },
  addKeyboardShortcuts() {
    return { 'Mod-Shift-7': () => this.editor.commands.toggleOrderedList() }
  },
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d+)\. $/,
        type: this.type,
        getAttributes: (match) => ({ start: Number(match[1]) }),
        joinPredicate: (match, { attrs, childCount }) =>
          (attrs.type ?? '1') === '1' && childCount + attrs.start === Number(match[1]),
      }),
    ]
  },
})

/** Google Docs says it of the items alone. */
function typeOf(list: HTMLElement): string | null {
  const said = list.getAttribute('type')
  if (said) return said
  const styles = [list, list.querySelector('li')].map((element) => element?.style.listStyleType)
  return styles.map((style) => TYPES.get(style ?? '')).find((type) => type) ?? null
}
