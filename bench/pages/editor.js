import { Editor } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'

/** A Tiptap editor as its first page shows it. */
export function mount(element, content) {
  new Editor({ element, extensions: [StarterKit], content })
}
