import { useId } from 'react'
import { RadioChoice } from '../../../ui/fields/radio-choice.tsx'
import { ClientPicker } from '../../../ui/people/client-picker.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { useClientSearch } from '../use-client-search.ts'
import type { UnknownClient } from './check-entries.ts'
import classes from './check-step.module.css'
import { unknownText } from './check-words.ts'

type Choice = Pick<UnknownClient, 'use' | 'picked'>

type UnknownClientsProps = {
  clients: readonly UnknownClient[]
  onDecide: (name: string, choice: Choice) => void
}

/** One decision for each name that is no client of the agency. */
export function UnknownClients({ clients, onDecide }: UnknownClientsProps) {
  return clients.map((client) => (
    <ClientDecision
      key={client.name}
      client={client}
      onDecide={(choice) => onDecide(client.name, choice)}
    />
  ))
}

/** Nothing is decided by the radio alone while no client is picked. */
const focusPicker = (radio: HTMLElement) =>
  radio.closest('[role="group"]')?.querySelector<HTMLElement>('input:not([type="radio"])')?.focus()

type ClientDecisionProps = { client: UnknownClient; onDecide: (choice: Choice) => void }

function ClientDecision({ client, onDecide }: ClientDecisionProps) {
  const { name, articles, use, picked } = client
  const id = useId()
  const search = useClientSearch(picked)
  const isOther = use !== 'create' && use !== 'none'
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset cannot be in one line with its fields
    <div
      className={classes.client}
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}note`}
      data-unknown-client={name}
    >
      <div>
        <p className={classes.clientName} id={id}>
          {unknownText(client)}
        </p>
        <p className={classes.clientNote} id={`${id}note`}>
          {articles === 1
            ? '1 article in the list belongs to it.'
            : `${figure(articles)} articles in the list belong to it.`}
        </p>
      </div>
      <div className={classes.choices}>
        <span className={classes.use}>
          <RadioChoice
            name={id}
            label="Use"
            checked={isOther && picked !== null}
            onChange={({ currentTarget }) => {
              if (picked) onDecide({ use: picked.id, picked })
              else focusPicker(currentTarget)
            }}
          />
          <div className={classes.picker}>
            <ClientPicker
              label={`Client to use for ${name}`}
              isLabelHidden
              isRequired
              placeholder="Choose a client"
              picked={picked}
              onPick={(next) => onDecide({ use: next?.id, picked: next })}
              {...search}
            />
          </div>
        </span>
        <RadioChoice
          name={id}
          label="Create as an external client"
          checked={use === 'create'}
          onChange={() => onDecide({ use: 'create', picked })}
        />
        <RadioChoice
          name={id}
          label="Leave without a client"
          checked={use === 'none'}
          onChange={() => onDecide({ use: 'none', picked })}
        />
      </div>
    </div>
  )
}
