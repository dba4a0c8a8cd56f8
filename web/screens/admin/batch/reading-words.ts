import { LISTED_ARTICLES_MAX } from '../../../../domain/limits.ts'
import type { ArticleList } from '../../../../domain/lists/article-list.ts'
import type { ColumnDays } from '../../../../domain/lists/spreadsheet-day.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { ENCODINGS } from '../csv/csv-file.ts'
import type { ListState } from './list-import.ts'

/** What is said of a list while it is being chosen. */

const SEPARATORS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  ',': 'commas',
  '\t': 'tabs',
  '|': 'bars',
}

/** 'Read as UTF-8, separated by semicolons, decimal commas. Dates as day.month.year.' */
export function readingText(
  { decoding, separator }: Pick<ListState, 'decoding' | 'separator'>,
  { decimal, days }: Pick<ArticleList, 'decimal' | 'days'>,
): string {
  const by = SEPARATORS[separator] ?? `‘${separator}’`
  const separated = decoding
    ? `Read as ${ENCODINGS[decoding.encoding]}, separated by ${by}`
    : `Separated by ${by}`
  const decimals = decimal === ',' ? 'decimal commas' : 'decimal points'
  return `${separated}, ${decimals}.${days ? ` ${daysText(days)}` : ''}`
}

/** Names the order of dates only when it is known. */
function daysText({ order, signs, isSure }: ColumnDays): string {
  const isOpen = (sign: string) => !isSure && sign !== '.'
  const forms = signs
    .filter((sign) => !isOpen(sign))
    .map((sign) =>
      [...(sign === '.' || order === 'day first' ? DAY_FIRST : MONTH_FIRST), 'year'].join(sign),
    )
  const open = signs.filter(isOpen).map((sign) => `‘${sign}’`)
  return [
    ...(forms.length > 0 ? [`Dates as ${forms.join(' and ')}.`] : []),
    ...(open.length > 0
      ? [`In dates with ${enumerated(open)} the day or the month may come first.`]
      : []),
  ].join(' ')
}

const DAY_FIRST = ['day', 'month']
const MONTH_FIRST = ['month', 'day']

export type CountPart = { count: string; words: string }

/** '40 articles', '2,000 entities', '14 rows without a keyword, left out' */
export function countParts({ counts }: Pick<ArticleList, 'counts'>): CountPart[] {
  const { articles, entities, withoutKeyword, overLimit } = counts
  const part = (count: number, one: string, several: string): CountPart => ({
    count: figure(count),
    words: count === 1 ? one : several,
  })
  return [
    part(articles, 'article', 'articles'),
    part(entities, 'entity', 'entities'),
    ...(withoutKeyword > 0
      ? [
          part(
            withoutKeyword,
            'row without a keyword, left out',
            'rows without a keyword, left out',
          ),
        ]
      : []),
    ...(overLimit > 0
      ? [part(overLimit, 'entity too many, left out', 'entities too many, left out')]
      : []),
  ]
}

export const NO_DAY_ORDER = 'Choose whether the day or the month comes first.'

export const NO_ARTICLE_COLUMN = 'Choose the column for Article.'

/** What is wrong with the number of articles; null when all of them can be checked. */
export function countFault(articles: number): string | null {
  if (articles === 0) return 'This list has no articles.'
  return articles > LISTED_ARTICLES_MAX
    ? `This list has ${figure(articles)} articles. ${figure(LISTED_ARTICLES_MAX)} can be checked at once.`
    : null
}

export function checkLabel(list: ArticleList | null): string {
  const articles = list?.counts.articles ?? 0
  if (articles === 0) return 'Check articles'
  return `Check ${counted(articles, 'article')}`
}

export const NEEDS_CONNECTION = 'Checking needs the connection. Your list stays here.'
