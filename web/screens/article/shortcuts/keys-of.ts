/** A shortcut as this computer's keyboard names it: 'Mod' is Control, or Command on a Mac. */
export const keysOf = (shortcut: string, mac: boolean): string =>
  shortcut.replace('Mod', mac ? '⌘' : 'Ctrl')

/** The same for `aria-keyshortcuts`. */
export const ariaKeysOf = (shortcut: string, mac: boolean): string =>
  shortcut.replace('Mod', mac ? 'Meta' : 'Control')
