import { CHANGE_PARAMETERS } from '../../domain/change-parameters.ts'
import type { HttpRequest } from '../ports.ts'

/** The path of a request, below /v1: for a change it repeats the headers that proxies may strip. */
export function addressOf({ method, path, headers = {} }: HttpRequest): string {
  if (method === 'GET') return path
  const told = CHANGE_PARAMETERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return told.length === 0 ? path : `${path}?${told.join('&')}`
}
