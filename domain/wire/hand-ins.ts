import * as z from 'zod'
import { KEYWORD_CATEGORIES } from '../keywords/keyword.ts'
import { authorSchema } from './articles.ts'

/** The calls about completed articles. */

/** A group of the scorecard when the text was handed in. Of very many unused keywords the last are not named. */
const standingGroupSchema = z.strictObject({
  category: z.enum(KEYWORD_CATEGORIES),
  used: z.number().int(),
  total: z.number().int(),
  unused: z.array(z.string()),
})

/**
 * What the server says of a hand-in, all of it as it was then. `agency` is the address of the server, `client` the name
 * of the article's client or null, `authors` the names of those who have words in the text, without the agency's
 * outline, `authorsSince` of those who changed it since the hand-in before, null for the first. `openNotes`: how many
 * notes about words were open; missing when none was. `textHash` is the
 * SHA-256 of the text's document, `wordsHash` of its letters and lines, without formatting and white space at line
 * ends (domain/text/fingerprint.ts). `key` is the public key that fits the signature, and its number.
 */
export const receiptFactsSchema = z.strictObject({
  format: z.literal('contun-receipt-3'),
  agency: z.string(),
  agencyName: z.string(),
  productName: z.string(),
  article: z.strictObject({ id: z.string(), name: z.string() }),
  client: z.string().nullable(),
  number: z.number().int(),
  at: z.iso.datetime(),
  by: authorSchema,
  authors: z.array(z.string()),
  authorsSince: z.array(z.string()).nullable(),
  words: z.number().int(),
  wordMinimum: z.number().int(),
  openNotes: z.number().int().optional(),
  groups: z.array(standingGroupSchema),
  textVersion: z.number().int(),
  textHash: z.string(),
  wordsHash: z.string(),
  key: z.strictObject({
    number: z.number().int().min(1).max(1_000_000),
    publicKey: z.string().regex(/^[\w-]{43}$/),
  }),
})

/** The second format: its signature is an HMAC, which only the server can check, and it has no names of both. */
const secondReceiptFactsSchema = receiptFactsSchema
  .omit({ agencyName: true, productName: true, openNotes: true, key: true })
  .extend({ format: z.literal('contun-receipt-2') })

/**
 * The first format: `authors` are those who changed the text since the previous hand-in, and `wordsHash` includes white
 * space at line ends.
 */
const firstReceiptFactsSchema = secondReceiptFactsSchema
  .omit({ authorsSince: true })
  .extend({ format: z.literal('contun-receipt-1') })

/** The server's, over the canonical JSON of all other fields: Ed25519, in base64url. */
const signed = { signature: z.string() }
export const receiptSchema = z.discriminatedUnion('format', [
  receiptFactsSchema.extend(signed),
  secondReceiptFactsSchema.extend(signed),
  firstReceiptFactsSchema.extend(signed),
])

/** `receipt` is null for a hand-in before receipts were kept; `reopened` is null while it is the last word. */
export const handInSchema = z.strictObject({
  number: z.number().int(),
  at: z.iso.datetime(),
  by: authorSchema,
  textVersion: z.number().int(),
  receipt: receiptSchema.nullable(),
  reopened: z.strictObject({ at: z.iso.datetime(), by: authorSchema }).nullable(),
})

/** POST /hand-ins/verify. */
export const receiptCheckBody = z.strictObject({ receipt: receiptSchema })
/** `known`: the server has this hand-in; `intact`: it made this receipt, and nothing in it was changed. */
export const receiptCheckSchema = z.strictObject({ known: z.boolean(), intact: z.boolean() })

/** GET /.well-known/contun-key: a JSON Web Key Set (RFC 7517) of all keys that ever signed receipts, oldest first. */
export const receiptKeysSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
      since: z.iso.datetime(),
    }),
  ),
})

export type StandingGroup = z.infer<typeof standingGroupSchema>
export type ReceiptFacts = z.infer<typeof receiptFactsSchema>
export type Receipt = z.infer<typeof receiptSchema>
export type ReceiptKeys = z.infer<typeof receiptKeysSchema>
export type HandIn = z.infer<typeof handInSchema>
export type ReceiptCheck = z.infer<typeof receiptCheckSchema>
