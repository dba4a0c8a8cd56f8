import { useLocalStorage } from '@mantine/hooks'
import { type Editor, InputRule, inputRulesPlugin } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { useEffect, useRef } from 'react'
import {
  ENGLISH,
  mayBecomeSmart,
  smartSign,
  type Typography,
  typographyOf,
} from '../../../../domain/text/smart-typing.ts'
import { useApp } from '../../../app/app-context.tsx'
import { beginsAddress } from './written-address.ts'

/** The marks to type with; null where signs stay as they are typed. */
type CurrentTypography = () => Typography | null

/** How much of a text its language is read from, in characters. */
const READ_MAX = 5_000

/**
 * The choice is of the browser, as that of lines under entities. Until one is made, smart typing is on in scripts that
 * have these marks.
 */
export function useSmartTyping(editor: Editor) {
  const { languages } = useApp()
  const [choice, choose] = useLocalStorage<boolean | null>({
    key: 'smart-typing',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const typography: CurrentTypography = () => {
    if (choice === false) return null
    const { doc } = editor.state
    const text = doc.textBetween(0, Math.min(doc.content.size, READ_MAX), '\n', '\n')
    return typographyOf(text, languages) ?? (choice ? ENGLISH : null)
  }
  return { typography, choose }
}

/** Typographic marks for the straight ones that are typed in the text. Shows nothing. */
export function SmartTyping({ editor }: { editor: Editor }) {
  const { typography } = useSmartTyping(editor)
  const current = useRef(typography)
  current.current = typography
  useEffect(() => typeSmart(editor, () => current.current()), [editor])
  return null
}

/** The last replacement, while nothing else has changed. */
const key = new PluginKey<Transaction | null>('smartTyping')

/** Returns the function that ends it. */
function typeSmart(editor: Editor, typography: CurrentTypography): () => void {
  const added = [inputRulesPlugin({ editor, rules: [smartRule(typography)] }), undoByBackspace()]
  for (const plugin of added) editor.registerPlugin(plugin)
  return () => {
    if (editor.isDestroyed) return
    const { state, view } = editor
    const plugins = state.plugins.filter((plugin) => !added.includes(plugin))
    view.updateState(state.reconfigure({ plugins }))
  }
}

/** Not `undoable`: Tiptap would restore the typed sign with the marks of the text before it. */
const smartRule = (typography: CurrentTypography): InputRule =>
  new InputRule({
    undoable: false,
    find: (text) =>
      mayBecomeSmart(text) ? { index: text.length - 1, text: text.slice(-1) } : null,
    handler({ state: { tr }, range: { to } }) {
      const { parent, parentOffset } = tr.doc.resolve(to)
      const textOf = (from: number, end: number) => parent.textBetween(from, end, null, '\n')
      const before = textOf(0, parentOffset)
      const [word = ''] = /\S*$/.exec(before.slice(0, -1)) ?? []
      const marks = beginsAddress(word) ? null : typography()
      const sign = marks && smartSign(before, textOf(parentOffset, parent.content.size), marks)
      if (!sign) return null
      tr.insertText(sign.smart, to - sign.straight.length, to).setMeta(key, true)
    },
  })

/** Backspace reverts the last replacement. Undo does too: what is typed before and after it are other steps. */
const undoByBackspace = (): Plugin<Transaction | null> =>
  new Plugin<Transaction | null>({
    key,
    state: {
      init: () => null,
      apply(tr, last) {
        if (tr.getMeta(key)) return tr
        return tr.docChanged || tr.selectionSet ? null : last
      },
    },
    props: {
      handleKeyDown(view, { key: pressed, ctrlKey, altKey, metaKey }) {
        const last = key.getState(view.state)
        const [step] = last?.steps ?? []
        if (!last || !step || pressed !== 'Backspace' || ctrlKey || altKey || metaKey) return false
        const tr = closeHistory(view.state.tr).step(step.invert(last.before))
        view.dispatch(tr)
        return true
      },
    },
    appendTransaction: (transactions, _before, { tr }) =>
      transactions.some((transaction) => transaction.getMeta(key)) ? closeHistory(tr) : null,
  })
