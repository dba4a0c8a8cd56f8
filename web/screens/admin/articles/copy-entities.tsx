import { ClipboardList } from 'lucide-react'
import { hasEntities } from '../../../../domain/keywords/keyword.ts'
import { entitiesText } from '../../../../domain/keywords/keyword-category.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import { notices } from '../../../app/notices.ts'
import { copyText } from '../../../ui/buttons/copy-text.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'

type CopyEntitiesProps = { article: { name: string; keywordList: readonly Keyword[] } }

export function CopyEntitiesButton({ article: { name, keywordList } }: CopyEntitiesProps) {
  return (
    <RowAction
      icon={ClipboardList}
      label={`Copy entities of ${name}`}
      disabled={!hasEntities(keywordList)}
      onClick={() => void copyEntities(name, keywordList, (text) => copyText(() => text))}
    />
  )
}

const COPYING = { subject: 'copy' }

/** The texts of both snackbars are in the specification (sections 2 and 8). */
export async function copyEntities(
  name: string,
  keywordList: readonly Keyword[],
  write: (text: string) => Promise<void>,
): Promise<void> {
  try {
    await write(entitiesText(keywordList))
    const details = `Entities for ${name} are copied to your clipboard.`
    notices.success(`Copied ${name} Entities`, details, COPYING)
  } catch {
    const details = 'There was an error while trying to copy entities to your clipboard.'
    notices.error('Error', details, COPYING)
  }
}
