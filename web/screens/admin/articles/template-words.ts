import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { Template } from '../../../../domain/wire/templates.ts'
import { counted } from '../../../ui/words/figure.ts'

/** What a new article gets from the template, apart from the minimum: ‘a brief, 6 headings and 52 entities’. */
export function templateWords({ hasBrief, headings, entities }: Template): string {
  const parts = [
    ...(hasBrief ? ['a brief'] : []),
    ...(headings > 0 ? [counted(headings, 'heading')] : []),
    ...(entities > 0 ? [counted(entities, 'entity', 'entities')] : []),
  ]
  return parts.length === 0 ? 'only a minimum' : enumerated(parts)
}
