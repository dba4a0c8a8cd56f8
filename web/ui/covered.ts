/** True while a dialog keeps the focus: the keys of the page below it rest. */
export const isCovered = (): boolean => document.querySelector('[aria-modal="true"]') !== null
