import type { Editor } from '@tiptap/core'
import { useCallback, useEffect, useRef } from 'react'
import { useApp, useSync } from '../../app/app-context.tsx'

/** When the text was last changed here, in milliseconds since 1970; 0 while the agency has all of it from before. */
export function useEditedAt(articleId: string, editor: Editor): () => number {
  const { database } = useSync()
  const { clock } = useApp()
  const editedAt = useRef(0)
  useEffect(() => {
    const noteChange = () => {
      editedAt.current = clock.now()
    }
    editor.on('update', noteChange)
    void database.drafts.get(articleId).then(
      (draft) => {
        if (draft?.dirty === 1) editedAt.current = Math.max(editedAt.current, draft.editedAt)
      },
      () => {},
    )
    return () => {
      editor.off('update', noteChange)
    }
  }, [articleId, editor, database, clock])
  return useCallback(() => editedAt.current, [])
}
