import { Button, Textarea } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { notices } from '../../../app/notices.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import classes from './invite-people.module.css'
import { areOf, doneTitle, happening, linesOf, runLabel, summary } from './people-words.ts'
import { type CheckedLine, countsOf, isLeftOut, usePeopleList } from './use-people-list.ts'

/** Several people invited from pasted lines, after a check. Lines that cannot be done stay in the field. */
export function InvitePeople({ onClose }: { onClose: () => void }) {
  const list = usePeopleList((counts, left) => {
    const rest = left.length === 0 ? '' : ` ${linesOf(left.length)} ${areOf(left.length)} left.`
    const mails = counts.invited === 0 ? '' : 'Each gets a mail with a link to choose a password.'
    notices.success(doneTitle(counts), `${mails}${rest}`.trim())
    if (left.length === 0) onClose()
    else list.change(left.map(({ read }) => read.line).join('\n'))
  })
  const { text, lines, busy, fault } = list
  if (lines === null) {
    return (
      <DialogForm
        submit="Check"
        busy={busy}
        changed={text.trim() !== ''}
        onSubmit={list.check}
        onCancel={onClose}
      >
        <Textarea
          label="People"
          description="One person in each line: name, e-mail and, where they write for one, the client. Cells copied from a spreadsheet can be pasted. You see what happens before it is done."
          placeholder="Name, e-mail, client"
          rows={9}
          dir="auto"
          spellCheck={false}
          data-autofocus
          error={fault}
          errorProps={{ role: 'alert' }}
          value={text}
          onChange={({ currentTarget: { value } }) => list.write(value)}
        />
      </DialogForm>
    )
  }
  const counts = countsOf(lines)
  const label = runLabel(counts)
  const back = () => list.change()
  return (
    <DialogForm
      submit={label ?? 'Change the list'}
      busy={busy}
      changed
      onSubmit={label === null ? back : list.run}
      onCancel={onClose}
      aside={
        label !== null && (
          <Button variant="subtle" disabled={busy} onClick={back}>
            Change the list
          </Button>
        )
      }
    >
      {fault !== null && (
        <Banner kind="error" icon={CircleAlert}>
          {fault}
        </Banner>
      )}
      <Lines lines={lines} sentence={summary(counts)} />
    </DialogForm>
  )
}

/** Those that cannot be done first. */
function Lines({ lines, sentence }: { lines: readonly CheckedLine[]; sentence: string }) {
  const id = useId()
  const rows = [...lines.filter(isLeftOut), ...lines.filter((line) => !isLeftOut(line))]
  return (
    <>
      <p id={id} role="status" className={classes.sentence}>
        {sentence}
      </p>
      <table aria-labelledby={id} className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Client</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((line) => (
            <Line key={lines.indexOf(line)} line={line} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Line({ line }: { line: CheckedLine }) {
  const { read, fault, outcome } = line
  const name = outcome?.name ?? read.name
  return (
    <tr>
      <td dir="auto">
        {name !== '' && <span className={classes.name}>{name}</span>}
        <span className={classes.email}>{read.email}</span>
      </td>
      <td dir="auto">{outcome?.clientName ?? read.client}</td>
      <td className={classes.what} data-left-out={isLeftOut(line) || undefined}>
        {isLeftOut(line) && <CircleAlert size={15} strokeWidth={1.7} aria-hidden="true" />}
        <span>{fault ?? (outcome && happening(outcome))}</span>
      </td>
    </tr>
  )
}
