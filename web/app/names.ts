import { knownTimeZone } from '../../domain/calendar/time-zone.ts'

/** What the agency calls things; the server writes its configuration into the page. */
export type Names = {
  productName: string
  agencyName: string
  /** Decides which day it is for due dates, a name as in `Europe/Berlin`. */
  timeZone: string
  supportEmail: string
  /** The marketing page that the guest home links to; empty when there is none. */
  marketingUrl: string
}

const DEFAULTS: Names = {
  productName: 'Contūn Articles',
  agencyName: 'Moon & Owl',
  timeZone: 'UTC',
  supportEmail: 'support@moonandowl.example',
  marketingUrl: 'https://moonandowl.example',
}

/** Reads the JSON of the page's `contun-names` block; whatever is missing or not a text keeps its default. */
export function readNames(json: string | null | undefined): Names {
  const given = parseObject(json)
  const text = (key: keyof Names) => {
    const value = given[key]
    return typeof value === 'string' ? value : DEFAULTS[key]
  }
  return {
    productName: text('productName') || DEFAULTS.productName,
    agencyName: text('agencyName') || DEFAULTS.agencyName,
    // A browser may know fewer zones than the server.
    timeZone: knownTimeZone(text('timeZone')) ?? DEFAULTS.timeZone,
    supportEmail: text('supportEmail'),
    marketingUrl: webAddress(text('marketingUrl')),
  }
}

function parseObject(json: string | null | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Only http and https become links. */
function webAddress(value: string): string {
  return /^https?:\/\//.test(value) ? value : ''
}
