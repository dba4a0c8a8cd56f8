import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { SEARCH_DEBOUNCE_MS, SEARCH_MAX } from '../../../domain/limits.ts'
import { SEARCH_KEYS, useSearchKeys } from './use-search-keys.ts'

type SearchBoxProps = {
  label: string
  placeholder: string
  /** The current search; another value from outside replaces the text of the box. */
  value: string
  /** Called with the trimmed text once typing paused (spec section 9), at once on Enter. */
  onSearch: (text: string) => void
  /** Pixels. */
  width?: number | undefined
}

export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, value, onSearch, width = 300 } = props
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }

  const send = useDebouncedCallback((next: string) => {
    // Another value came from outside since this was typed.
    if (next !== text.trim()) return
    setSent(next)
    onSearch(next)
  }, SEARCH_DEBOUNCE_MS)
  useSearchKeys(box)

  return (
    <TextInput
      ref={box}
      type="search"
      w={width}
      label={label}
      placeholder={placeholder}
      maxLength={SEARCH_MAX}
      aria-keyshortcuts={SEARCH_KEYS}
      leftSection={<Search size={16} strokeWidth={1.6} aria-hidden="true" />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        send(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send.flush()
      }}
    />
  )
}
