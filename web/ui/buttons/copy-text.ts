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
  copyByEvent({ 'text/plain': typeof text === 'string' ? text : await text })
}

/** As copyText, in more than one form, by their types: the program that it is pasted into takes the one that it knows. */
export async function copyForms(forms: Record<string, string>): Promise<void> {
  if (isSecureContext) return navigator.clipboard.write([new ClipboardItem(forms)])
  copyByEvent(forms)
}

function copyByEvent(forms: Record<string, string>): void {
  const give = (event: ClipboardEvent) => {
    for (const [type, text] of Object.entries(forms)) event.clipboardData?.setData(type, text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('copy', give, true)
  const isCopied = document.execCommand('copy')
  removeEventListener('copy', give, true)
  if (!isCopied) throw new Error()
}
