import { Mark } from '@tiptap/core'
import { isAddress, readAddress } from '../../../../domain/link-address.ts'

/**
 * A link. Typing at its end does not continue it, and what is typed never becomes one; an address that is not allowed is
 * neither read nor rendered. Behind the other marks, so that texts have it last, as the server writes them.
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
})
