import { InputRule, Mark } from '@tiptap/core'
import type { MarkType } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { isAddress, readAddress } from '../../../../domain/text/link-address.ts'
import { writtenAddress } from './written-address.ts'

/**
 * A link. Typing at its end does not continue it, and a typed address becomes one with the space after it; an address
 * that is not allowed is neither read nor rendered. The mark comes after the others, so that texts have it last, as the
 * server writes them. A click never follows it; Control and a click open it in another tab. link-tools.tsx has the card
 * and the field.
 */
export const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { isRequired: true } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element: HTMLElement) => {
        const href = readAddress(element.getAttribute('href') ?? '')
        return href !== null && { href }
      },
    },
  ],
  renderHTML: ({ mark: { attrs } }) => [
    'a',
    isAddress(attrs.href) ? { href: attrs.href, rel: 'noopener noreferrer' } : {},
    0,
  ],
  addInputRules() {
    return [typedAddress(this.type)]
  },
  // Until the code of the card is loaded, the key must not open the browser's own search.
  addKeyboardShortcuts: () => ({ 'Mod-k': () => true }),
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        // The editor would select the paragraph for Control and a click.
        handleClick: (_view, _position, event) =>
          linkAt(event.target) !== null && (event.ctrlKey || event.metaKey),
        handleDOMEvents: {
          click(_view, event) {
            const link = linkAt(event.target)
            if (!link) return false
            event.preventDefault()
            if (event.ctrlKey || event.metaKey) openLink(link.href)
            return false
          },
        },
      },
    }),
  ],
})

const typedAddress = (link: MarkType): InputRule =>
  new InputRule({
    find: /(?<=^|\s)\S+[^\S\n]$/,
    handler({ state: { tr }, range, match: [typed] }) {
      const address = writtenAddress(typed.trimEnd())
      if (!address || tr.doc.rangeHasMark(range.from, range.to, link)) return
      const from = range.from + typed.indexOf(address.text)
      tr.addMark(from, from + address.text.length, link.create({ href: address.href }))
    },
  })

export const linkAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null

/** In another tab, which cannot reach this one or learn its address. */
export const openLink = (href: string): void => {
  window.open(href, '_blank', 'noopener,noreferrer')
}
