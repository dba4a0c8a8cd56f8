import { UnstyledButton } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, type MouseEvent, memo, useRef, useState } from 'react'
import { nextTool } from '../../../ui/buttons/next-tool.ts'
import { Tips } from '../../../ui/tips.tsx'
import { ariaKeysOf, keysOf } from '../shortcuts/keys-of.ts'
import classes from './toolbar.module.css'
import { sameToolbar, type ToolbarState, toolbarState } from './toolbar-state.ts'
import { TOOL_GROUPS, type Tool } from './tools.ts'
import { useEditorState } from './use-editor.ts'

type ToolbarProps = { editor: Editor; readOnly: boolean }

/** One tab stop; the arrow keys move between the tools and Escape goes back to the text. */
export const Toolbar = memo(function Toolbar({ editor, readOnly }: ToolbarProps) {
  const state = useEditorState(editor, toolbarState, sameToolbar)
  const bar = useRef<HTMLDivElement>(null)
  const [tabStop, setTabStop] = useState('Bold')

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') editor.view.focus()
    const tools = [...(bar.current?.querySelectorAll('button') ?? [])]
    const next = nextTool(event.key, tools.indexOf(event.target as HTMLButtonElement), tools.length)
    if (next === null) return
    event.preventDefault()
    tools[next]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-orientation="horizontal"
      className={classes.bar}
      data-article-toolbar
      onKeyDown={handleKeyDown}
    >
      <Tips within={bar} delayMs={400} />
      {TOOL_GROUPS.map((group) => (
        <div key={group[0]?.name} className={classes.group}>
          {group.map((tool) => (
            <ToolButton
              key={tool.name}
              {...{ tool, editor, state, readOnly }}
              tabStop={tool.name === tabStop}
              onFocus={() => setTabStop(tool.name)}
            />
          ))}
        </div>
      ))}
    </div>
  )
})

type ToolButtonProps = ToolbarProps & {
  tool: Tool
  state: ToolbarState
  tabStop: boolean
  onFocus: () => void
}

function ToolButton({ tool, editor, state, readOnly, tabStop, onFocus }: ToolButtonProps) {
  const mac = useOs() === 'macos'
  const idle = tool.needs !== undefined && !state[tool.needs]
  const Face = tool.face

  function handleClick(event: MouseEvent) {
    if (idle) return
    // A click returns the focus to the text; a key press keeps it in the toolbar.
    const chain = event.detail > 0 ? editor.chain().focus() : editor.chain()
    tool.run(chain).run()
  }

  return (
    <UnstyledButton
      data-tip={tooltip(tool, mac)}
      className={classes.tool}
      aria-label={tool.name}
      aria-pressed={tool.pressed && state[tool.pressed] && !readOnly}
      aria-keyshortcuts={tool.shortcut && ariaKeysOf(tool.shortcut, mac)}
      aria-disabled={idle || undefined}
      disabled={readOnly}
      tabIndex={tabStop ? 0 : -1}
      onFocus={onFocus}
      onMouseDown={(event) => event.preventDefault()}
      onClick={handleClick}
    >
      {typeof Face === 'string' ? Face : <Face size={17} strokeWidth={1.7} aria-hidden />}
    </UnstyledButton>
  )
}

function tooltip({ name, shortcut }: Tool, mac: boolean): string {
  return shortcut ? `${name} · ${keysOf(shortcut, mac)}` : name
}
