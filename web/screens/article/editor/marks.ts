import { Mark, type MarkConfig, markInputRule } from '@tiptap/core'

/**
 * Bold, italic and struck text. Typed signs set a mark only around words, after a space or at the start of a line:
 * "2 * 3 * 4" and snake_case_name stay as they are. Two underscores set none, because names (`__init__`) and blanks to
 * fill in contain them. Signs in pasted text set none: it is inserted unchanged.
 */

type MarkRules = {
  name: string
  tag: string
  keys: string[]
  signs: string[]
  parse: NonNullable<ReturnType<NonNullable<MarkConfig['parseHTML']>>>
}

const createMark = ({ name, tag, keys, signs, parse }: MarkRules) =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }, ...parse],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      const toggle = () => this.editor.commands.toggleMark(name)
      return Object.fromEntries(keys.map((key) => [key, toggle]))
    },
    addInputRules() {
      return signs.map((sign) => markInputRule({ find: around(sign), type: this.type }))
    },
  })

/** What is between two signs begins and ends with a letter or another visible sign. */
function around(sign: string): RegExp {
  const [one, whole] = [sign.charAt(0), sign.replaceAll('*', '\\*')]
  return new RegExp(`(?<=^|\\s)${whole}(?=\\S)([^${one}]*[^${one}\\s])${whole}$`)
}

const isNot = (property: 'fontWeight' | 'fontStyle') => (element: HTMLElement) =>
  element.style[property] !== 'normal' && null

export const Bold = createMark({
  name: 'bold',
  tag: 'strong',
  keys: ['Mod-b', 'Mod-B'],
  signs: ['**'],
  parse: [
    // Google Docs wraps all that it copies in a <b> that is not bold.
    { tag: 'b', getAttrs: isNot('fontWeight') },
    { style: 'font-weight=400', clearMark: ({ type }) => type.name === 'bold' },
    {
      style: 'font-weight',
      getAttrs: (value) => /^(bold(er)?|[5-9]\d{2,})$/.test(value) && null,
    },
  ],
})

export const Italic = createMark({
  name: 'italic',
  tag: 'em',
  keys: ['Mod-i', 'Mod-I'],
  signs: ['*', '_'],
  parse: [
    { tag: 'i', getAttrs: isNot('fontStyle') },
    { style: 'font-style=normal', clearMark: ({ type }) => type.name === 'italic' },
    { style: 'font-style=italic' },
  ],
})

export const Strike = createMark({
  name: 'strike',
  tag: 's',
  keys: ['Mod-Shift-s'],
  signs: ['~~'],
  parse: [
    { tag: 'del' },
    { tag: 'strike' },
    ...['text-decoration', 'text-decoration-line'].map((style) => ({
      style,
      consuming: false,
      getAttrs: (value: string) => value.includes('line-through') && null,
    })),
  ],
})
