import { Modal, Switch } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { useSmartTyping } from '../editor/smart-typing.tsx'
import { TOOL_GROUPS } from '../editor/tools.ts'
import { keysOf } from './keys-of.ts'
import classes from './shortcuts-dialog.module.css'

type ShortcutsDialogProps = { editor: Editor; opened: boolean; onClose: () => void }

type Shortcut = { does: string; keys: string }

const OF_TOOLS: Shortcut[] = TOOL_GROUPS.flat().flatMap(({ name, shortcut }) =>
  shortcut ? [{ does: name, keys: shortcut }] : [],
)

const IN_TEXT: Shortcut[] = [...OF_TOOLS, { does: 'Link', keys: 'Mod+K' }]

const OTHERS: Shortcut[] = [
  { does: 'Save now', keys: 'Mod+S' },
  { does: 'Find and replace', keys: 'Mod+F' },
  { does: 'Next match', keys: 'Enter' },
  { does: 'Previous match', keys: 'Shift+Enter' },
  { does: 'Paste without formatting', keys: 'Mod+Shift+V' },
  { does: 'Go to the toolbar (Esc returns)', keys: 'Alt+F10' },
  { does: 'Move between tools, entities or versions', keys: 'Arrow keys' },
  { does: 'These shortcuts', keys: 'Mod+/' },
]

const OF_NOTES: Shortcut[] = [
  { does: 'Write a note about the selected words', keys: 'Mod+Alt+M' },
  { does: 'Next open note', keys: 'Mod+Alt+Page Down' },
  { does: 'Previous open note', keys: 'Mod+Alt+Page Up' },
]

/** Lists every key of the article page with its action, and has the switch of smart typing. */
export function ShortcutsDialog({ editor, opened, onClose }: ShortcutsDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size={650} title="Keyboard shortcuts">
      <div className={classes.columns}>
        <List title="Writing" shortcuts={IN_TEXT} />
        <div>
          <List title="The page" shortcuts={OTHERS} />
          <List title="Notes" shortcuts={OF_NOTES} />
          <SmartTypingSwitch editor={editor} />
        </div>
      </div>
    </Modal>
  )
}

function SmartTypingSwitch({ editor }: { editor: Editor }) {
  const { typography, choose } = useSmartTyping(editor)
  return (
    <Switch
      className={classes.choice}
      label="Smart punctuation while typing"
      description="Straight quotes, two hyphens and three dots become the marks of the text’s language. Backspace or Undo takes one back."
      checked={typography() !== null}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  )
}

function List({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  const mac = useOs() === 'macos'
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.list}>
        {shortcuts.map(({ does, keys }) => (
          <div key={does} className={classes.line}>
            <dt>{does}</dt>
            <dd>
              <kbd className={classes.keys}>{keysOf(keys, mac)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
