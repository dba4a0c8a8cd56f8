import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Template } from '../../../../domain/wire/templates.ts'
import { useSend } from '../../../app/app-context.tsx'
import { createTemplates } from '../../../remote/templates.ts'
import { COMBOBOX_PROPS } from '../../../ui/lists/combobox.ts'
import { templateWords } from './template-words.ts'

type StartFromProps = { template: Template | null; onChoose: (template: Template | null) => void }

/** The template of a new article. Shown only where the agency has one. */
export function StartFrom({ template, onChoose }: StartFromProps) {
  const send = useSend()
  const templates = useMemo(() => createTemplates(send), [send])
  const { data = [] } = useQuery({
    queryKey: ['templates'],
    queryFn: templates.list,
    meta: { failure: 'Error retrieving templates' },
  })
  if (data.length === 0 && template === null) return null
  return (
    <Select
      label="Start from"
      placeholder="No template"
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={template?.id ?? null}
      onChange={(chosen) => onChoose(data.find(({ id }) => id === chosen) ?? null)}
      {...(template && { description: `The new article gets ${templateWords(template)}.` })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      clearable
      searchable
      nothingFoundMessage="No matching templates"
      checkIconPosition="right"
      comboboxProps={COMBOBOX_PROPS}
    />
  )
}
