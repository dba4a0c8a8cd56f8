import { caseless } from '../../domain/names/same-name.ts'
import type { OutlineHeading } from '../../domain/wire/article-lists.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import type { Template } from '../../domain/wire/templates.ts'
import { countRows } from '../database/listing-rows.ts'
import type { BriefTemplateRow } from '../database/tables.ts'
import type { Database } from '../deps.ts'

/** What a new article takes over. */
export type TemplateContent = {
  brief: string
  outline: OutlineHeading[]
  wordMinimum: number
  keywordList: Keyword[]
}

/** All templates, by name. */
export async function listTemplates(db: Database): Promise<Template[]> {
  const rows = await db.selectFrom('brief_templates').selectAll().orderBy('name_caseless').execute()
  return rows.map(toTemplate)
}

export function toTemplate(row: BriefTemplateRow): Template {
  const { outline, wordMinimum, keywordList } = contentOf(row)
  return {
    id: row.id,
    name: row.name,
    hasBrief: row.brief !== '',
    headings: outline.length,
    wordMinimum,
    entities: keywordList.length,
    changedBy: { id: row.changed_by, name: row.changed_by_name },
    changedAt: row.changed_at,
  }
}

export const contentOf = (row: BriefTemplateRow): TemplateContent => ({
  brief: row.brief,
  outline: JSON.parse(row.outline),
  wordMinimum: row.word_minimum,
  keywordList: JSON.parse(row.keyword_list),
})

export const findTemplate = (db: Database, id: string): Promise<BriefTemplateRow | undefined> =>
  db.selectFrom('brief_templates').selectAll().where('id', '=', id).executeTakeFirst()

/** Those with these names, by `caseless` name. */
export async function templatesNamed(
  db: Database,
  names: readonly string[],
): Promise<Map<string, BriefTemplateRow>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('brief_templates')
    .selectAll()
    .where('name_caseless', 'in', [...new Set(names.map(caseless))])
    .execute()
  return new Map(rows.map((row) => [row.name_caseless, row]))
}

export const countTemplates = (db: Database): Promise<number> =>
  countRows(db.selectFrom('brief_templates'))

/** Replaces the template with this name, which keeps its id. */
export async function saveTemplate(db: Database, template: BriefTemplateRow): Promise<void> {
  const { id: _, name_caseless: __, ...change } = template
  await db
    .insertInto('brief_templates')
    .values(template)
    .onConflict((conflict) => conflict.column('name_caseless').doUpdateSet(change))
    .execute()
}

export async function deleteTemplate(db: Database, id: string): Promise<void> {
  await db.deleteFrom('brief_templates').where('id', '=', id).execute()
}
