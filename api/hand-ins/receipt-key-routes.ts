import { Hono } from 'hono'
import type { ReceiptKeys } from '../../domain/wire/hand-ins.ts'
import type { Deps } from '../deps.ts'
import type { AppEnv } from '../http/authenticate.ts'
import { listReceiptKeys } from './receipt-key-rows.ts'

/** The public keys of receipts, at the address that every saved receipt names. */
export function receiptKeyRoutes({ reads }: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/.well-known/contun-key', async (c) => {
    const rows = await reads.read(listReceiptKeys)
    const keys: ReceiptKeys['keys'] = rows.map(({ public_key: x, since, number }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      use: 'sig',
      kid: String(number),
      x,
      since,
    }))
    return c.json({ keys })
  })
  return routes
}
