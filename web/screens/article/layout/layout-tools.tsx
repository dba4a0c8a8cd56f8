import { UnstyledButton } from '@mantine/core'
import { useDisclosure, useOs } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { Keyboard, type LucideIcon, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { once } from '../../../app/once.ts'
import { useShortcut } from '../../../keys.ts'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { Tips } from '../../../ui/tips.tsx'
import { ariaKeysOf, keysOf } from '../shortcuts/keys-of.ts'
import classes from './layout-tools.module.css'

const findBar = once(async () => (await import('../find/find-bar.tsx')).FindBar)
const shortcutsDialog = once(
  async () => (await import('../shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
)

/**
 * Finding, and the list of all keys: by their own keys from anywhere on the page, or by button. Where the text is not
 * to be seen (`isTextHidden`, or under a dialog) the browser's own search has the key.
 */
export function useLayoutTools(isTextHidden: boolean) {
  const [findTurn, setFindTurn] = useState(0)
  const [shortcutsOpen, shortcuts] = useDisclosure(false)
  const find = () => setFindTurn((turn) => turn + 1)
  // In a field of the page the browser's own search stays within reach.
  useShortcut('Mod+F', find, { notIn: 'fields', idle: isTextHidden })
  useShortcut('Mod+/', shortcuts.open, { notIn: 'fields' })
  return {
    findTurn,
    find: isTextHidden ? null : find,
    closeFind: () => setFindTurn(0),
    shortcutsOpen,
    shortcuts,
  }
}

export type LayoutTools = ReturnType<typeof useLayoutTools>

type FindProps = { tools: LayoutTools; editor: Editor; readOnly: boolean }

/** The bar above the text; nothing until it is asked for. */
export function Find({ tools, editor, readOnly }: FindProps) {
  const props = { editor, readOnly, turn: tools.findTurn, onClose: tools.closeFind }
  return <OnDemand fetch={findBar} wanted={tools.findTurn > 0} props={props} />
}

type ButtonsProps = { tools: LayoutTools; editor: Editor }

export function LayoutToolButtons({ tools, editor }: ButtonsProps) {
  const { shortcutsOpen, shortcuts } = tools
  const place = useRef<HTMLSpanElement>(null)
  return (
    <span ref={place} className={classes.tools}>
      <Tips within={place} delayMs={400} />
      {tools.find && (
        <FootTool name="Find and replace" keys="Mod+F" icon={Search} onClick={tools.find} />
      )}
      <FootTool name="Keyboard shortcuts" keys="Mod+/" icon={Keyboard} onClick={shortcuts.open} />
      <OnDemand
        fetch={shortcutsDialog}
        wanted={shortcutsOpen}
        props={{ editor, opened: shortcutsOpen, onClose: shortcuts.close }}
      />
    </span>
  )
}

type FootToolProps = { name: string; keys: string; icon: LucideIcon; onClick: () => void }

function FootTool({ name, keys, icon: Icon, onClick }: FootToolProps) {
  const mac = useOs() === 'macos'
  return (
    <UnstyledButton
      className={classes.tool}
      aria-label={name}
      aria-keyshortcuts={ariaKeysOf(keys, mac)}
      data-tip={`${name} · ${keysOf(keys, mac)}`}
      onClick={onClick}
    >
      <Icon size={15} strokeWidth={1.7} aria-hidden />
    </UnstyledButton>
  )
}
