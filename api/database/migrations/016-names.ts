import { foldName } from '../../../domain/names/folded-name.ts'
import { cleanName } from '../../../domain/names/name.ts'
import type { Database } from '../../deps.ts'
import { rewriteNames } from './011-folded-names.ts'

/** Stores names in NFC without invisible ends, and folds them without accents of Latin letters for search and order. */
export const names = (db: Database): Promise<void> =>
  rewriteNames(db, (stored) => {
    const name = cleanName(stored)
    return { name, folded: foldName(name) }
  })
