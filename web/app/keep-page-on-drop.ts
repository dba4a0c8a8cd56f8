/**
 * Prevents a file or an address that is dropped outside a drop target from replacing the page. Fields take addresses as
 * text; a drop target for files prevents the browser's default itself.
 */
export function keepPageOnDrop(target: Window, say: (files: number) => unknown): void {
  const opens = ({ dataTransfer, defaultPrevented, target: over }: DragEvent): boolean => {
    if (!dataTransfer || defaultPrevented) return false
    const place = over instanceof Element ? over : null
    if (dataTransfer.types.includes('Files')) return !place?.closest('input[type="file"]')
    const isWords = place?.closest('input, textarea, [contenteditable="true"]')
    return dataTransfer.types.includes('text/uri-list') && !isWords
  }
  target.addEventListener('dragover', (event) => {
    if (opens(event)) event.preventDefault()
  })
  target.addEventListener('drop', (event) => {
    if (!opens(event)) return
    event.preventDefault()
    void say(event.dataTransfer?.files.length ?? 0)
  })
}
