import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Decoration } from '@tiptap/pm/view'
import { addDecorationLayer, type DecorationLayer } from '../scorecard/decoration-layer.ts'
import { hrefOf } from './link-plugin.ts'

/**
 * While the page is printed, each link has its address behind its last word. Styles alone cannot do that: parts of one
 * link with other marks are elements of their own. Returns the function that ends it.
 */
export function printAddresses(editor: Editor): () => void {
  let layer: DecorationLayer | null = null
  function show() {
    if (editor.isDestroyed) return
    layer ??= addDecorationLayer(editor, 'printedAddresses')
    layer.show(addressesIn(editor.state.doc))
  }
  function remove() {
    layer?.remove()
    layer = null
  }
  window.addEventListener('beforeprint', show)
  window.addEventListener('afterprint', remove)
  return () => {
    window.removeEventListener('beforeprint', show)
    window.removeEventListener('afterprint', remove)
    remove()
  }
}

function addressesIn(doc: Node): Decoration[] {
  const addresses: Decoration[] = []
  doc.descendants((node, position, parent, index) => {
    const href = hrefOf(node)
    if (href === null || hrefOf(parent?.maybeChild(index + 1)) === href) return
    const end = position + node.nodeSize
    addresses.push(Decoration.widget(end, () => drawAddress(href), { side: -1, marks: [] }))
  })
  return addresses
}

function drawAddress(href: string): HTMLElement {
  const address = document.createElement('span')
  address.className = 'link-address'
  address.textContent = ` (${href})`
  return address
}
