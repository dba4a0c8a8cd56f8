import type { SelfCheck } from '../receipt-file.ts'

/** The script of a saved receipt; null where it cannot be had. */
export async function fetchSelfCheck(): Promise<SelfCheck | null> {
  try {
    return await import('virtual:self-check')
  } catch {
    return null
  }
}
