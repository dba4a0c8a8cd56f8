/**
 * Copies what `read` returns; to be called in the handler of a press. WebKit refuses a clipboard that is asked for later, so
 * a text that comes later is handed over as a promise. Over plain http there is no such clipboard: there the text is given
 * to a copy event, which a browser allows in answer to the press.
 */
export async function copyText(read: () => string | Promise<string>): Promise<void> {
  if (isSecureContext) {
    const text = Promise.resolve(read())
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
  }
  const text = read()
  copyByEvent(typeof text === 'string' ? text : await text)
}

function copyByEvent(text: string): void {
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('copy', give, true)
  const isCopied = document.execCommand('copy')
  removeEventListener('copy', give, true)
  if (!isCopied) throw new Error()
}
