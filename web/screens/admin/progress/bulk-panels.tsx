import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { FIRST_DUE_DAY, isDueDay, LAST_DUE_DAY } from '../../../../domain/calendar/due-date.ts'
import { WORD_MINIMUM_MAX } from '../../../../domain/limits.ts'
import { wordMinimumRule } from '../../../field-rules.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { WholeNumberField } from '../../../ui/fields/whole-number-field.tsx'
import { ClientPicker, type PickedClient } from '../../../ui/people/client-picker.tsx'
import { counted } from '../../../ui/words/figure.ts'
import { useClientSearch } from '../use-client-search.ts'
import { BulkForm } from './bulk-form.tsx'
import { clientSentence, dueSentence, minimumSentence } from './bulk-words.ts'
import { useBulk } from './use-bulk.ts'

type PanelProps = {
  ids: readonly string[]
  onClose: () => void
}

export function DuePanel({ ids, onClose }: PanelProps) {
  const [dueOn, setDueOn] = useState('')
  const isDay = isDueDay(dueOn)
  const bulk = useBulk({ ids, change: isDay ? { dueOn } : null, onDone: onClose })
  return (
    <BulkForm
      bulk={bulk}
      sentence={dueSentence}
      submit="Set due date"
      missing={isDay ? null : 'Choose a date.'}
      aside={<TextButton onClick={() => bulk.run({ dueOn: null })}>Remove the date</TextButton>}
      onClose={onClose}
    >
      {(fault) => (
        <TextInput
          type="date"
          label="Due date"
          min={FIRST_DUE_DAY}
          max={LAST_DUE_DAY}
          value={dueOn}
          error={fault}
          onChange={({ currentTarget: { value } }) => setDueOn(value)}
        />
      )}
    </BulkForm>
  )
}

export function MinimumPanel({ ids, onClose }: PanelProps) {
  const [text, setText] = useState('')
  const isNumber = wordMinimumRule(text) === null
  const change = isNumber ? { wordMinimum: Number(text) } : null
  const bulk = useBulk({ ids, change, onDone: onClose })
  return (
    <BulkForm
      bulk={bulk}
      sentence={minimumSentence}
      submit="Set minimum"
      missing={wordMinimumRule(text)}
      onClose={onClose}
    >
      {(fault) => (
        <WholeNumberField
          label="Minimum Word Count"
          max={WORD_MINIMUM_MAX}
          value={text}
          error={fault}
          onChange={setText}
        />
      )}
    </BulkForm>
  )
}

export function ClientPanel({ ids, onClose }: PanelProps) {
  const [client, setClient] = useState<PickedClient | null>(null)
  const [isRemoved, setRemoved] = useState(false)
  const search = useClientSearch(client)
  const clientId = isRemoved ? null : client?.id
  const change = clientId === undefined ? null : { clientId }
  const bulk = useBulk({ ids, change, onDone: onClose })
  const moved = counted(bulk.answer?.changed ?? ids.length, 'article')
  return (
    <BulkForm
      // Its first field or button gets the focus again.
      key={String(isRemoved)}
      bulk={bulk}
      sentence={(answer) => clientSentence(answer, isRemoved ? null : (client?.name ?? ''))}
      submit={isRemoved ? `Remove the client from ${moved}` : `Move ${moved}`}
      missing={change ? null : 'Choose a client.'}
      aside={
        <TextButton onClick={() => setRemoved(!isRemoved)}>
          {isRemoved ? 'Choose a client instead' : 'Remove the client'}
        </TextButton>
      }
      onClose={onClose}
    >
      {(fault) =>
        !isRemoved && (
          <ClientPicker
            label="Client"
            placeholder="Choose a client"
            isRequired
            picked={client}
            onPick={setClient}
            error={fault}
            {...search}
          />
        )
      }
    </BulkForm>
  )
}
