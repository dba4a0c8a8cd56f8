import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importKeywords, isHeaderRow, namedColumns } from '../../domain/keywords/keyword-import.ts'
import { readCsv } from '../../domain/lists/csv.ts'
import { type ArticleText, readDocument } from '../../domain/text/document.ts'
import type { Keyword } from '../../domain/wire/articles.ts'
import { briefSchema } from '../../domain/wire/plans.ts'
import { packageFolder } from '../process/package-folder.ts'
import { readMarkdown } from './markdown.ts'

/** An article of the demo as its file describes it. */
export type DemoArticle = {
  /** Name of the file, without its ending. */
  key: string
  name: string
  /** Key of a client; null for an article that only admins see. */
  client: string | null
  /** Key of the user who wrote it. */
  writer: string
  wordMinimum: number
  completed: boolean
  /** Days between the last change and now; fractions are hours. */
  updatedDaysAgo: number
  /** Days from today until it is due, negative when it is late; null without a date. */
  dueInDays: number | null
  /** Empty where there is none. */
  brief: string
  keywordList: Keyword[]
  articleText: ArticleText
}

/** Every article of api/demo/content, the one changed last first. */
export function readArticles(): DemoArticle[] {
  const folder = join(contentFolder(), 'articles')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => readArticle(file, readFileSync(join(folder, file), 'utf8')))
    .sort((a, b) => a.updatedDaysAgo - b.updatedDaysAgo)
}

/** `source` is a block of `name: value` lines between two lines of `---`, and the text below it. */
export function readArticle(file: string, source: string): DemoArticle {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? []
  if (head === undefined || body === undefined) throw new Error(`${file} has no first lines`)
  const fields = new Map(head.split('\n').map(readField))
  const field = (name: string): string => {
    const value = fields.get(name)
    if (value === undefined) throw new Error(`${file} does not say its ${name}`)
    return value
  }
  const keywords = fields.get('keywords')
  const due = fields.get('due')
  const brief = fields.get('brief')
  return {
    key: file.replace(/\.md$/, ''),
    name: field('title'),
    client: fields.get('client') ?? null,
    writer: field('writer'),
    wordMinimum: Number(field('minimum')),
    completed: fields.get('completed') === 'yes',
    updatedDaysAgo: Number(field('updated')),
    dueInDays: due === undefined ? null : Number(due),
    brief: brief === undefined ? '' : readBrief(brief),
    keywordList: keywords === undefined ? [] : readKeywords(keywords),
    articleText: readText(file, body),
  }
}

/** Only the first colon separates: a title may have one of its own. */
function readField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

function readText(file: string, body: string): ArticleText {
  const reading = readDocument(readMarkdown(body))
  if (!reading.ok) throw new Error(`${file}: ${reading.fault}`)
  return reading.document
}

const readBrief = (file: string): string =>
  briefSchema.parse(readFileSync(join(contentFolder(), 'briefs', file), 'utf8'))

/** Imports a CSV file as an upload does. Throws when a row is skipped. */
function readKeywords(file: string): Keyword[] {
  const list = readCsv(readFileSync(join(contentFolder(), 'keywords', file), 'utf8'), isHeaderRow)
  if (!list.ok) throw new Error(`${file}: ${JSON.stringify(list.fault)}`)
  const columns = namedColumns(list.rows[0] ?? [])
  const { keywords, skipped, unreadScores } = importKeywords(list, { headerRow: 0, columns })
  if (skipped.length > 0 || unreadScores.length > 0) {
    throw new Error(`${file}: ${JSON.stringify({ skipped, unreadScores })}`)
  }
  return keywords
}

function contentFolder(): string {
  return join(packageFolder(), 'api/demo/content')
}
