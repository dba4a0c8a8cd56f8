import type { ErrorBody } from '../../domain/wire/errors.ts'
import { statusMessage } from '../../domain/wire/status-message.ts'
import type { HttpAnswer } from '../ports.ts'
import { servedAt } from './server-time.ts'

/** Reading responses that are not the wanted one, of this server or of a proxy. */

export const RETRY_AFTER_CAP_MS = 5 * 60_000

const RETRY_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504, 507]

/** Whether the same request may succeed later. */
export const mayPass = (status: number): boolean => RETRY_STATUSES.includes(status)

/** An error response of any shape. */
export const isRefusal = ({ status }: HttpAnswer): boolean => status >= 400

/** The message of a refusal, or a general one where it has none (Q46). */
export function saidBy({ status, json }: HttpAnswer): string {
  const { message } = (json ?? {}) as { message?: unknown }
  const isText = typeof message === 'string' && message !== ''
  return isText ? message : statusMessage(status)
}

/**
 * The wait that the server asks for, at most 5 minutes: seconds, or a date that is compared with the response's own
 * Date, because this device's clock may be wrong. Null when the header is missing or unreadable.
 */
export function retryAfterMs(answer: Pick<HttpAnswer, 'header'>, now: number): number | null {
  const value = answer.header('Retry-After')?.trim()
  if (!value) return null
  const wait = /^\d+$/.test(value)
    ? Number(value) * 1_000
    : Date.parse(value) - servedAt(answer, now)
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), RETRY_AFTER_CAP_MS)
}

export function isErrorBody(value: unknown): value is ErrorBody {
  const error = value as Partial<ErrorBody> | null | undefined
  return typeof error?.code === 'number' && typeof error.message === 'string'
}
