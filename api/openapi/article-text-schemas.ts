import { LINK_ADDRESS_MAX } from '../../domain/limits.ts'
import {
  ALLOWED_MARKS,
  LIST_START_MAX,
  LIST_TYPES,
  NODE_RULES,
  type NodeRule,
} from '../../domain/text/document-schema.ts'
import { type JsonSchema, refTo } from './schemas.ts'

const ATTRIBUTES: Record<string, JsonSchema> = {
  level: { type: 'integer', minimum: 1, maximum: 6 },
  start: { type: 'integer', minimum: 0, maximum: LIST_START_MAX },
  type: { enum: LIST_TYPES },
}

/** `ArticleText` and a schema for each node of a document, generated from the rules that validate them. */
export function articleTextSchemas(): Record<string, JsonSchema> {
  const nodes = [...NODE_RULES].map(([type, rule]) => [nameOf(type), nodeSchema(type, rule)])
  return {
    ArticleText: {
      description: 'A rich-text document; an object without members is the empty one.',
      anyOf: [{ type: 'object', maxProperties: 0 }, refTo(nameOf('doc'))],
    },
    ...Object.fromEntries(nodes),
  }
}

const nameOf = (type: unknown): string => `Node.${String(type)}`

function nodeSchema(type: unknown, rule: NodeRule): JsonSchema {
  const isText = type === 'text'
  const required = ['type', ...(isText ? ['text'] : rule.mayBeEmpty ? [] : ['content'])]
  return {
    type: 'object',
    required,
    properties: {
      type: { const: type },
      ...(rule.holds !== null && { content: contentSchema(rule, rule.holds) }),
      ...(rule.attributes.length > 0 && { attrs: attributesSchema(rule) }),
      ...(isText && { text: { type: 'string', minLength: 1 } }),
      ...(rule.role === 'inline' && { marks: MARKS }),
    },
  }
}

const ADDRESS: JsonSchema = {
  type: 'string',
  maxLength: LINK_ADDRESS_MAX,
  pattern: '^(https?://|mailto:)[^\\s"<>`\\\\]+$',
  description:
    'https, http or mailto, the scheme in small letters, without a user name; blanks, quotes and angle brackets encoded.',
}

const MARKS: JsonSchema = {
  type: 'array',
  items: {
    anyOf: [
      {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: ALLOWED_MARKS.filter((type) => type !== 'link') } },
      },
      {
        type: 'object',
        required: ['type', 'attrs'],
        properties: {
          type: { const: 'link' },
          attrs: {
            type: 'object',
            required: ['href'],
            properties: { href: ADDRESS },
            additionalProperties: false,
          },
        },
      },
    ],
  },
}

function contentSchema(rule: NodeRule, holds: NonNullable<NodeRule['holds']>): JsonSchema {
  const types = [...NODE_RULES].filter(([, { role }]) => role === holds).map(([type]) => type)
  return {
    type: 'array',
    ...(!rule.mayBeEmpty && { minItems: 1 }),
    ...(rule.startsWith !== undefined && { prefixItems: [refTo(nameOf(rule.startsWith))] }),
    items: { anyOf: types.map((type) => refTo(nameOf(type))) },
  }
}

function attributesSchema({ attributes }: NodeRule): JsonSchema {
  const properties = attributes.map(({ name }) => [name, ATTRIBUTES[name] ?? {}])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}
