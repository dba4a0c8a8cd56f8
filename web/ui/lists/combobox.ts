/**
 * For the list of a picker: it belongs to the region or dialog that its field is in, where screen readers
 * expect it, and still reaches beyond what scrolls there. It is drawn only while it is open: there may be
 * a thousand options.
 */
export const COMBOBOX_PROPS = {
  withinPortal: false,
  floatingStrategy: 'fixed',
  keepMounted: false,
  shadow: 'md',
} as const
