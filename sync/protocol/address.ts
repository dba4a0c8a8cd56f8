import { CHANGE_PARAMETERS, KNOWN_PARTS } from '../../domain/wire/change-parameters.ts'
import type { HttpRequest } from '../ports.ts'

/**
 * The path of a request, below /v1: for a change it repeats the headers that proxies may strip, and a change of texts says
 * what this page knows of them.
 */
export function addressOf({ method, path, headers = {} }: HttpRequest): string {
  if (method === 'GET') return path
  const isOfTexts = method === 'PATCH' && TEXTS.test(path)
  const given: Record<string, string> = {
    ...headers,
    ...(isOfTexts && { 'Contun-Knows': KNOWN_PARTS }),
  }
  const told = CHANGE_PARAMETERS.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return told.length === 0 ? path : `${path}?${told.join('&')}`
}

/** Articles, one or several; their settings have a path of their own. */
const TEXTS = /^\/articles(?:\/[^/]+)?$/
