import * as z from 'zod'
import { ARTICLE_SIZE, NOTE_MAX, QUOTE_MAX } from '../limits.ts'
import { CONTEXT_LENGTH, type NoteAnchor } from '../notes/note-place.ts'
import { noteText } from '../notes/note-text.ts'
import { idSchema } from './fields.ts'

/** The calls about notes: why an article was reopened, what its writers answer, and notes about words of its text. */

/** The name that a device gives a note, so that answers can name it before it is sent. */
const refSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, '"ref" has at most 64 letters, digits, hyphens and underscores')

const bodySchema = z
  .string()
  .overwrite(noteText)
  .max(NOTE_MAX, `"body" must have at most ${NOTE_MAX} characters`)
const writtenSchema = bodySchema.min(1, '"body" is required')

const handInSchema = z.number().int().min(1).max(1_000_000).nullable().default(null)

/** domain/notes/note-place.ts. The quote is a part of the text as it was, so it is not changed. */
const anchorSchema = z.strictObject({
  quote: z
    .string()
    .min(1, '"quote" is required')
    .max(QUOTE_MAX, `"quote" must have at most ${QUOTE_MAX} characters`),
  before: z.string().max(CONTEXT_LENGTH),
  after: z.string().max(CONTEXT_LENGTH),
  block: z.number().int().min(0).max(ARTICLE_SIZE.nodes),
  textVersion: z.number().int().min(0),
}) satisfies z.ZodType<NoteAnchor>

/** Other words for the quote. */
const suggestionSchema = z
  .string()
  .overwrite(noteText)
  .min(1, '"suggestion" is required')
  .max(QUOTE_MAX, `"suggestion" must have at most ${QUOTE_MAX} characters`)

/**
 * POST /articles/{id}/notes. `reopened`: why an admin reopened the article; `answer`: what a writer replies, with `to` the
 * answer to a note about words, which has no hand-in; `note`: about words of the text. `handIn`: the number of the hand-in that it is about; null
 * without one. `ref`: without one, the id of the note is its name. A note with a suggestion needs no body.
 */
export const noteCreateBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reopened'), body: writtenSchema, handIn: handInSchema }),
  z.strictObject({
    kind: z.literal('answer'),
    body: writtenSchema,
    handIn: handInSchema,
    ref: refSchema.optional(),
    to: refSchema.optional(),
  }),
  z
    .strictObject({
      kind: z.literal('note'),
      body: bodySchema.default(''),
      ref: refSchema.optional(),
      anchor: anchorSchema,
      suggestion: suggestionSchema.optional(),
    })
    .refine(({ body, suggestion }) => body !== '' || suggestion !== undefined, {
      path: ['body'],
      message: '"body" or "suggestion" is required',
    }),
])

/** PATCH /articles/{id}/notes/{ref}: done or open again, or taken back by its author within a minute. */
export const noteChangeBody = z.union([
  z.strictObject({ done: z.boolean() }),
  z.strictObject({ takenBack: z.literal(true) }),
])

/** The last three are changes of the note that they name. */
export const noteKindSchema = z.enum(['reopened', 'answer', 'note', 'done', 'open', 'taken-back'])

/**
 * The author is named as at that moment; the account may be gone. `handIn` is 0 for a note about words, its answers and
 * its changes. A note that was taken back has neither body nor anchor.
 */
export const articleNoteSchema = z.strictObject({
  id: z.string(),
  createdAt: z.iso.datetime(),
  kind: noteKindSchema,
  body: z.string(),
  author: z.strictObject({ id: idSchema, name: z.string() }),
  handIn: z.number().int().nullable(),
  ref: z.string().optional(),
  to: z.string().optional(),
  anchor: anchorSchema.optional(),
  suggestion: z.string().optional(),
})

export type NoteKind = z.infer<typeof noteKindSchema>
/** Notes about a hand-in. */
export type HandInNoteKind = 'reopened' | 'answer'
export type NoteCreate = z.input<typeof noteCreateBody>
export type NoteChange = z.infer<typeof noteChangeBody>
export type ArticleNote = z.infer<typeof articleNoteSchema>
