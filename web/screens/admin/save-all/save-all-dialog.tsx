import { Button, Progress } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { FILE_FORMATS, type FileFormat } from '../../../exports/article-file.ts'
import { DialogForm, FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { Dialog } from '../../../ui/dialogs/use-dialog.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { archiveFileName } from '../../../ui/words/file-name.ts'
import { fetchSelfCheck } from '../../article/receipt/self-check/fetch-self-check.ts'
import { openArchive } from './archive.ts'
import { type SaveAllResult, saveAll } from './save-all.ts'
import classes from './save-all-dialog.module.css'
import { createSaveAllPorts } from './save-all-ports.ts'
import { findWanted, type WantedArticles } from './wanted-articles.ts'

/** `name` is what is saved, as in the name of the file: a client, or '4 articles'. */
export type SaveAllSubject = { name: string; wanted: WantedArticles }

type SaveAllDialogProps = { dialog: Dialog<SaveAllSubject> }

/** Saves the texts of many articles as one archive. Closing the dialog ends the saving. */
export function SaveAllDialog({ dialog }: SaveAllDialogProps) {
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Save all: ${name}`}>
      {(subject) => <SaveAll subject={subject} close={dialog.close} />}
    </FormDialog>
  )
}

type State =
  | { kind: 'asking' }
  /** `of` is null until it is known how many there are. */
  | { kind: 'saving'; done: number; of: number | null }
  | { kind: 'done'; result: SaveAllResult }

type SaveAllProps = { subject: SaveAllSubject; close: () => void }

function SaveAll({ subject, close }: SaveAllProps) {
  const [format, setFormat] = useState<FileFormat>('docx')
  const { state, save, stop } = useSaving(subject)
  if (state.kind === 'done') return <Outcome result={state.result} close={close} />
  return (
    <DialogForm
      submit="Save"
      busy={state.kind === 'saving'}
      onSubmit={() => void save(format)}
      onCancel={() => {
        stop()
        close()
      }}
    >
      <fieldset className={classes.formats} disabled={state.kind === 'saving'}>
        <legend className={classes.legend}>Format</legend>
        {FILE_FORMATS.map(({ ending, name }) => (
          <label key={ending} className={classes.format}>
            <input
              type="radio"
              name="format"
              checked={format === ending}
              onChange={() => setFormat(ending)}
            />
            {name.replace(/^./, (letter) => letter.toUpperCase())}
            <span className={classes.ending}>.{ending}</span>
          </label>
        ))}
      </fieldset>
      <p className={classes.hint}>
        One file for each article in a folder for each client, with the receipts and an index.
      </p>
      {state.kind === 'saving' && <Saving {...state} />}
    </DialogForm>
  )
}

function Saving({ done, of }: { done: number; of: number | null }) {
  return (
    <div className={classes.saving}>
      <Progress.Root size={4}>
        <Progress.Section value={of ? (100 * done) / of : 0} aria-label="Saving the articles" />
      </Progress.Root>
      <p>{of === null ? 'Loading…' : `${figure(done)} of ${counted(of, 'article')}`}</p>
    </div>
  )
}

function Outcome({ result, close }: { result: SaveAllResult; close: () => void }) {
  const { saved, fromHere, isPart, missing, withoutReceipts, parts } = result
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const bare = withoutReceipts.length
  return (
    <>
      <div className={classes.outcome} role="status">
        <p>
          <b>{`${counted(saved, 'article')} saved${parts.length > 1 ? ` in ${parts.length} files` : ''}.`}</b>
        </p>
        {fromHere > 0 && (
          <p>{`No connection: ${counted(fromHere, 'article')} with the text on this computer. The index says of when it is.`}</p>
        )}
        {isPart && (
          <p className={classes.missing}>
            The agency’s list could not be loaded: articles that are not on this computer are
            missing.
          </p>
        )}
        {bare > 0 && <p>{`The receipts of ${counted(bare, 'article')} could not be fetched.`}</p>}
        {missing.length > 0 && (
          <>
            <p className={classes.missing}>
              {`${counted(missing.length, 'article')} could not be fetched and ${missing.length === 1 ? 'is' : 'are'} not in the file:`}
            </p>
            <ul className={classes.list}>
              {missing.map(({ id, name, reason }) => (
                <li key={id}>
                  <bdi>{name}</bdi> <span className={classes.reason}>{reason}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className={classes.actions}>
        <Button ref={button} onClick={close}>
          Done
        </Button>
      </div>
    </>
  )
}

/** Leaving the dialog ends it. */
function useSaving({ name, wanted }: SaveAllSubject) {
  const { send, names, workspace, saveFile, openZipWorker } = useApp()
  const { user } = useSignedIn()
  const [state, setState] = useState<State>({ kind: 'asking' })
  const ending = useRef<AbortController>(null)
  useEffect(() => () => ending.current?.abort(), [])

  async function save(format: FileFormat) {
    const controller = new AbortController()
    const { signal } = controller
    ending.current = controller
    setState({ kind: 'saving', done: 0, of: null })
    try {
      const local = async () => (await workspace.open(user)).database
      const around = { send, local, names, selfCheck: await fetchSelfCheck() }
      const ports = createSaveAllPorts(around, () => openArchive(openZipWorker))
      const found = await findWanted({ send, local }, wanted, signal)
      const of = found.articles.length
      const onProgress = (done: number) => {
        if (!signal.aborted) setState({ kind: 'saving', done, of })
      }
      const result = await saveAll(ports, {
        wanted: found.articles,
        isPart: found.isPart,
        format,
        onProgress,
        signal,
      })
      result.parts.forEach((part, at) => {
        saveFile(archiveFileName(name, result.parts.length > 1 ? at + 1 : null), part)
      })
      setState({ kind: 'done', result })
    } catch (error) {
      if (signal.aborted) return
      setState({ kind: 'asking' })
      notices.fail('Error saving the articles', error)
    }
  }

  return { state, save, stop: () => ending.current?.abort() }
}
