import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorBody } from '../../domain/wire/errors.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from './authenticate.ts'
import { ApiError, serverBusy } from './errors.ts'
import { jsonResponse } from './json-response.ts'

export function errorResponse(
  deps: Pick<Deps, 'log' | 'health'>,
  c: AppContext,
  fault: Error,
): Promise<Response> {
  const { status, headers, json } = refusalOf(deps, c.get('requestId'), fault)
  return jsonResponse(c, json, { status: status as ContentfulStatusCode, headers })
}

/**
 * Status, headers and `ErrorBody` as JSON for any fault (AP-33). Details of unexpected errors are logged and never
 * returned. Every error of the API is made here.
 */
export function refusalOf(
  deps: Pick<Deps, 'log' | 'health'>,
  requestId: string,
  fault: unknown,
): { status: number; headers: Record<string, string>; json: string } {
  const error = fault instanceof ApiError ? fault : (databaseError(fault) ?? unknownError())
  deps.health.noteFault(fault)
  if (error.status >= 500) deps.log.error({ requestId, err: fault }, 'Request failed')
  const { reason, current, list, secondStep } = error.refusal
  const headers = {
    ...error.refusal.headers,
    // HTTP requires it with every 401. Browsers show no sign-in dialog for Bearer.
    ...(error.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  }
  const body: ErrorBody = {
    code: error.status,
    message: error.message,
    requestId,
    ...(reason !== undefined && { reason }),
  }
  const added = Object.entries({ current, list, secondStep }).filter(
    ([, json]) => json !== undefined,
  )
  const fields = added.map(([name, json]) => `,"${name}":${json}`).join('')
  return {
    status: error.status,
    headers,
    json: `${JSON.stringify(body).slice(0, -1)}${fields}}`,
  }
}

const unknownError = () => new ApiError(500, 'Internal Server Error')

/**
 * 507 when the disk is full, 503 for other faults of the storage that a retry may pass; undefined for any other fault.
 */
export function databaseError(fault: unknown): ApiError | undefined {
  const kind = storageFaultOf(fault)
  if (kind === 'full') {
    return new ApiError(507, 'The server has no room left.', { reason: 'storage_full' })
  }
  return kind && serverBusy()
}
