import { CheckIcon, type ComboboxItem } from '@mantine/core'
import classes from './named-client.module.css'

type NamedClientProps = {
  name: string
  /** Undefined: no other client has this name. */
  detail: string | undefined
  checked?: boolean | undefined
  /** In one line, as in a pill. */
  inLine?: boolean
}

/** A client in a picker, with a detail that distinguishes it from others of the same name. */
export function NamedClient({ name, detail, checked = false, inLine = false }: NamedClientProps) {
  return (
    <>
      <span className={classes.words} data-in-line={inLine} title={detail && `${name}, ${detail}`}>
        <span className={classes.name}>{name}</span>
        {detail !== undefined && (
          <span className={classes.detail}>
            <span className="visually-hidden">, </span>
            {detail}
          </span>
        )}
      </span>
      {checked && <CheckIcon className={classes.check} />}
    </>
  )
}

/** Renders picker options with details, by id, for equal names. */
export const optionWith =
  (details: ReadonlyMap<string, string>) =>
  ({ option, checked }: { option: ComboboxItem; checked?: boolean | undefined }) => (
    <NamedClient name={option.label} detail={details.get(option.value)} checked={checked} />
  )
