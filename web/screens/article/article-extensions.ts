import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import { EntityMarks } from './entity-marks.ts'
import { ForeignWords } from './foreign-words.ts'
import { ListNumbers } from './list-numbers.ts'
import { PassageMarks } from './review/passage-marks.ts'

/** Spec section 2; the space and the single ellipsis character belong to it. */
export const PLACEHOLDER = 'Write your article here …'

/**
 * Exactly the nodes and marks that the server takes. No trailing paragraph is kept at the end of a text:
 * adding one would change an article that somebody only looked at.
 */
export const ARTICLE_EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3, 4, 5, 6] },
    undoRedo: { depth: 100, newGroupDelay: 500 },
    code: false,
    codeBlock: false,
    link: false,
    underline: false,
    trailingNode: false,
  }),
  Placeholder.configure({ placeholder: PLACEHOLDER }),
  ListNumbers,
  EntityMarks,
  PassageMarks,
  ForeignWords,
]
