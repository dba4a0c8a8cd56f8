import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { Send } from '../../../../sync/ports.ts'
import { readKeptText } from '../../../../sync/status/kept-text.ts'
import type { LocalDatabase } from '../../../../sync/store/database.ts'
import type { Names } from '../../../app/names.ts'
import { allPages } from '../../../remote/all-pages.ts'
import { createArticles } from '../../../remote/articles.ts'
import { createGetList } from '../../../remote/lists.ts'
import { receiptFile, type SelfCheck } from '../../article/receipt/receipt-file.ts'
import type { Archive } from './archive.ts'
import type { SaveAllPorts } from './save-all.ts'

type Around = {
  send: Send
  /** The admin's own copy on this computer. */
  local: () => Promise<LocalDatabase>
  names: Names
  selfCheck: SelfCheck | null
}

/** An article has few; the server has at most this many in a page. */
const HAND_INS_AT_ONCE = 50

export function createSaveAllPorts(around: Around, openArchive: () => Archive): SaveAllPorts {
  const { send, local, names, selfCheck } = around
  const getList = createGetList(send)
  return {
    read: createArticles(send).read,
    async handIns(articleId) {
      const path = `/articles/${encodeURIComponent(articleId)}/hand-ins?limit=${HAND_INS_AT_ONCE}`
      const { rows } = await allPages(
        (page) => getList<HandIn>(`${path}&page=${page}`),
        ({ number }) => String(number),
      )
      return rows
    },
    kept: async (articleId) => readKeptText(await local(), articleId),
    // Each receipt would have the same faces again; it reads well without them.
    receiptFile: (receipt) => receiptFile(receipt, names, { faces: [], selfCheck, record: null }),
    openArchive,
  }
}
