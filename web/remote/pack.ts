/** What packs a body by gzip, and where. */
export type Pack = (text: string) => Promise<ArrayBuffer>

export const gzip: Pack = async (text) => {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).arrayBuffer()
}

/** To pack what is shorter takes less than a frame. */
const LONG_CHARACTERS = 100_000

/**
 * Packs long bodies with what `fetchOther` loads. Loading starts with the first long body; until it is done, and after
 * it failed, bodies are packed on the calling thread, so that no request waits for a file.
 */
export function packLongElsewhere(fetchOther: () => Promise<Pack>): Pack {
  let other: Pack | null = null
  const keep = (fetched: Pack) => {
    other = fetched
  }
  return (text) => {
    if (text.length < LONG_CHARACTERS) return gzip(text)
    if (other) return other(text)
    fetchOther().then(keep, () => {})
    return gzip(text)
  }
}
