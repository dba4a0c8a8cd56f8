/**
 * A file or an address that is dropped where nothing takes it would open in place of the page. Fields take addresses as words;
 * what takes a file prevents the browser's own way.
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
