import { createHmac } from 'node:crypto'
import { ScureBase32Plugin } from 'otplib'
import type { Deps } from '../deps.ts'

export const RECOVERY_CODES = 10
/** 80 bits. */
const CODE_BYTES = 10

/** Ten codes, each in groups of four signs. */
export const newRecoveryCodes = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const code = new ScureBase32Plugin().encode(randomBytes(CODE_BYTES), { padding: false })
    return (code.toLowerCase().match(/.{4}/g) ?? []).join('-')
  })

/** The stored form of a code: a digest by a key that the database does not have. */
export const recoveryDigest = ({ keys }: Pick<Deps, 'keys'>, plainCode: string): string =>
  createHmac('sha256', keys.secondStep.recoveryCode).update(plainCode).digest('hex')

/** A typed code of either kind, without what people put between its groups. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase()
