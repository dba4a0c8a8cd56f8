/**
 * Copies what `read` returns. Call it in the click handler: WebKit rejects clipboard access after it, so an
 * asynchronous text is passed as a promise. Plain http has no clipboard API; there a copy event is triggered instead.
 * Rejects when the browser refuses.
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
