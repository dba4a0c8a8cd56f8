import { useState } from 'react'
import { LIST_LIMIT_MAX } from '../../../../domain/limits.ts'
import type { LogEntry } from '../../../../domain/wire/log.ts'
import { notices } from '../../../app/notices.ts'
import type { ReadLog } from '../../../remote/log.ts'

/** The unfolded lists and their entries. A list unfolds once its entries are loaded. */
export function useUnfolded(readLog: ReadLog) {
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, readonly LogEntry[]>>(new Map())

  async function unfold(id: string) {
    const { results } = await readLog({ foldedInto: id, limit: LIST_LIMIT_MAX })
    setUnfolded((before) => new Map(before).set(id, results))
  }

  return {
    unfolded,
    /** `id`: that of the entry that represents the list. */
    toggle(id: string) {
      if (!unfolded.has(id)) void notices.attempt('Error retrieving the log', () => unfold(id))
      else setUnfolded(new Map([...unfolded].filter(([other]) => other !== id)))
    },
  }
}
