import type { Receipt, ReceiptCheck } from '../../../../domain/wire/hand-ins.ts'
import { NoAnswer, type Send } from '../../../../sync/ports.ts'

/** `changed`: its signature does not fit. `offline` and `failed`: it is not known. */
export type ReceiptVerdict = 'genuine' | 'changed' | 'offline' | 'failed'

const TIMEOUT_MS = 30_000

/** Only the server can check its signature. `receipt` is null for a file that shows something else than it says. */
export async function verifyReceipt(send: Send, receipt: Receipt | null): Promise<ReceiptVerdict> {
  if (!receipt) return 'changed'
  try {
    const body = JSON.stringify({ receipt })
    const path = '/hand-ins/verify'
    const { status, json } = await send({ method: 'POST', path, body, timeoutMs: TIMEOUT_MS })
    // No receipt of the server has another form.
    if (status === 400) return 'changed'
    if (status !== 200) return 'failed'
    return (json as ReceiptCheck).intact ? 'genuine' : 'changed'
  } catch (error) {
    if (error instanceof NoAnswer) return 'offline'
    throw error
  }
}
