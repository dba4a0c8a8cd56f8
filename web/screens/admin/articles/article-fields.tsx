import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { WORD_MINIMUM_MAX } from '../../../../domain/limits.ts'
import { nameRule, wordMinimumRule } from '../../../field-rules.ts'
import { WholeNumberField } from '../../../ui/fields/whole-number-field.tsx'
import { ClientPicker, type PickedClient } from '../../../ui/people/client-picker.tsx'
import { useClientSearch } from '../use-client-search.ts'

export type ArticleFieldValues = {
  name: string
  /** As typed. */
  wordMinimum: string
  client: PickedClient | null
}

export const articleRules = { name: nameRule('Name'), wordMinimum: wordMinimumRule }

type ArticleFieldsProps = {
  form: UseFormReturnType<ArticleFieldValues>
  /** Pixels; the whole width without it. */
  minimumWidth?: number
}

/** What an article is created with and what its settings are. */
export function ArticleFields({ form, minimumWidth }: ArticleFieldsProps) {
  const { client } = form.values
  const search = useClientSearch(client)
  return (
    <>
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <WholeNumberField
        label="Minimum Word Count"
        placeholder="1900"
        max={WORD_MINIMUM_MAX}
        {...(minimumWidth !== undefined && { w: minimumWidth })}
        {...form.getInputProps('wordMinimum')}
        value={form.values.wordMinimum}
      />
      <ClientPicker
        label="Select the client this article belongs to."
        picked={client}
        onPick={(picked) => form.setFieldValue('client', picked)}
        {...search}
      />
    </>
  )
}
