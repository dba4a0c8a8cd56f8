import { CHANGE_PARAMETERS } from '../../domain/change-parameters.ts'
import type { HttpRequest } from '../ports.ts'

/** Where a request goes, below /v1: a change says in its address too what its headers say of it. */
export function addressOf({ method, path, headers = {} }: HttpRequest): string {
  if (method === 'GET') return path
  const told = CHANGE_PARAMETERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return told.length === 0 ? path : `${path}?${told.join('&')}`
}
