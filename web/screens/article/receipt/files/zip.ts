/** Reads members of a ZIP file with the browser's own inflater. */

/** What all members together may unpack to: a small file can hide a very large one. */
const UNPACKED_MAX = 60 * 1024 * 1024

export class UnreadableFile extends Error {}

type Member = { name: string; method: number; packed: Uint8Array<ArrayBuffer> }

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
const COMMENT_MAX = 0xffff

/** The text of a member, null where there is none of that name. Throws UnreadableFile for what is no such archive. */
export function openZip(bytes: Uint8Array<ArrayBuffer>): (name: string) => Promise<string | null> {
  const members = new Map(readMembers(bytes).map((member) => [member.name, member]))
  let left = UNPACKED_MAX
  return async (name) => {
    const member = members.get(name)
    if (!member) return null
    const unpacked = await unpack(member, left)
    left -= unpacked.length
    return new TextDecoder().decode(unpacked)
  }
}

function readMembers(bytes: Uint8Array<ArrayBuffer>): Member[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const end = endOf(view)
    const count = view.getUint16(end + 10, true)
    const members: Member[] = []
    let at = view.getUint32(end + 16, true)
    for (let index = 0; index < count; index += 1) {
      if (view.getUint32(at, true) !== ENTRY) throw new UnreadableFile()
      const [name, extra, comment] = [28, 30, 32].map((of) => view.getUint16(at + of, true)) as [
        number,
        number,
        number,
      ]
      members.push({
        name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)),
        method: view.getUint16(at + 10, true),
        packed: packedAt(bytes, view, at),
      })
      at += 46 + name + extra + comment
    }
    return members
  } catch (error) {
    // Numbers that point past the end of the file.
    if (error instanceof RangeError) throw new UnreadableFile()
    throw error
  }
}

/** A comment may follow the record at the end. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_SIZE
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX); at -= 1)
    if (view.getUint32(at, true) === END) return at
  throw new UnreadableFile()
}

function packedAt(bytes: Uint8Array<ArrayBuffer>, view: DataView, entry: number) {
  const size = view.getUint32(entry + 20, true)
  const local = view.getUint32(entry + 42, true)
  if (view.getUint32(local, true) !== LOCAL) throw new UnreadableFile()
  const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  if (from + size > bytes.length) throw new UnreadableFile()
  return bytes.subarray(from, from + size)
}

async function unpack({ method, packed }: Member, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (method !== 0 && method !== 8) throw new UnreadableFile()
  const packedStream = new Blob([packed]).stream()
  const stream =
    method === 0 ? packedStream : packedStream.pipeThrough(new DecompressionStream('deflate-raw'))
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new UnreadableFile()
    })
    if (done) break
    size += value.length
    if (size > most) {
      void reader.cancel().catch(() => {})
      throw new UnreadableFile()
    }
    pieces.push(value)
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}
