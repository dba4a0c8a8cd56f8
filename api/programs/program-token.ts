import type { Deps } from '../deps.ts'

/** The start of every token, by which scanners of source code recognise one. */
const PREFIX = 'ctn_'
const RANDOM_BYTES = 32
const TOKEN = new RegExp(`^bearer +(${PREFIX}[\\w-]{43})$`, 'i')

export const newProgramToken = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string =>
  `${PREFIX}${Buffer.from(randomBytes(RANDOM_BYTES)).toString('base64url')}`

/** The token in an `Authorization` header; undefined without one. */
export const tokenIn = (header: string | undefined): string | undefined =>
  TOKEN.exec(header ?? '')?.[1]

/** Whether the address contains a token, which proxies and browsers would keep. */
export const hasTokenInAddress = (url: string): boolean => url.includes(PREFIX)
