import sans from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'
import serif from '@fontsource-variable/literata/files/literata-latin-wght-normal.woff2?url'
import sansMacron from '../../../fonts/hanken-grotesk-u-macron.woff2?url'
import serifMacron from '../../../fonts/literata-u-macron.woff2?url'
import type { Face } from './receipt-file.ts'

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD'
const MACRON = 'U+016A-016B'

/** The faces of a saved receipt, about 90 KB; none where they cannot be had, as the page reads well without them. */
export async function fetchFaces(): Promise<Face[]> {
  try {
    return await Promise.all([
      fetchFace('sans', LATIN, sans),
      fetchFace('serif', LATIN, serif),
      fetchFace('sans', MACRON, sansMacron),
      fetchFace('serif', MACRON, serifMacron),
    ])
  } catch {
    return []
  }
}

async function fetchFace(family: Face['family'], range: string, url: string): Promise<Face> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { family, range, data: btoa(text) }
}
