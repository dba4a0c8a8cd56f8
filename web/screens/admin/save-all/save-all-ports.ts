import type { Article } from '../../../../domain/wire-articles.ts'
import type { List } from '../../../../domain/wire-fields.ts'
import type { HandIn } from '../../../../domain/wire-hand-ins.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import { readKeptText } from '../../../../sync/status/kept-text.ts'
import type { LocalDatabase } from '../../../../sync/store/database.ts'
import type { Names } from '../../../app/names.ts'
import type { createCall } from '../../../remote/calls.ts'
import { momentOf } from '../../../ui/moment.ts'
import { receiptFile } from '../../article/receipt/receipt-file.ts'
import type { Archive } from './archive.ts'
import type { SaveAllPorts } from './save-all.ts'

type Around = {
  call: ReturnType<typeof createCall>
  /** The admin's own copy on this computer. */
  local: () => Promise<LocalDatabase>
  names: Names
  now: () => number
}

/** An article has few; the server has at most this many in a page. */
const HAND_INS_AT_ONCE = 50

export function createSaveAllPorts(around: Around, openArchive: () => Archive): SaveAllPorts {
  const { call, local, names, now } = around
  const pathOf = (articleId: string) => `/articles/${encodeURIComponent(articleId)}`
  return {
    async read(articleId) {
      const article = (await call('GET', pathOf(articleId))) as Partial<Article> | null
      if (typeof article?.id !== 'string') throw new NoAnswer()
      return article as Article
    },
    async handIns(articleId) {
      const all: HandIn[] = []
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const path = `${pathOf(articleId)}/hand-ins?limit=${HAND_INS_AT_ONCE}&page=${page}`
        const list = (await call('GET', path)) as Partial<List<HandIn>> | null
        if (!Array.isArray(list?.results)) throw new NoAnswer()
        all.push(...list.results)
        pages = list.totalPages ?? 1
      }
      return all
    },
    kept: async (articleId) => readKeptText(await local(), articleId),
    // Each receipt would have the same faces again; it reads well without them.
    receiptFile: (receipt) => receiptFile(receipt, names, []),
    openArchive,
    timeOf(at) {
      const { day, time } = momentOf(new Date(at), new Date(now()))
      return `${day}, ${time}`
    },
  }
}
