import { deflateRawSync } from 'node:zlib'

/** A ZIP file for tests, without checksums. */
export function makeZip(members: Record<string, string>, stored: readonly string[] = []) {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(members)) {
    const isStored = stored.includes(name)
    const packed = isStored ? Buffer.from(text) : deflateRawSync(text)
    const head = numbers([2, 20], [2, 0x800], [2, isStored ? 0 : 8], [4, 0], [4, 0])
    const sizes = numbers([4, packed.length], [4, Buffer.byteLength(text)])
    const lengths = numbers([2, Buffer.byteLength(name)], [2, 0])
    const file = Buffer.concat([
      numbers([4, 0x04034b50]),
      head,
      sizes,
      lengths,
      Buffer.from(name),
      packed,
    ])
    entries.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 20]),
        head,
        sizes,
        lengths,
        numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
        Buffer.from(name),
      ]),
    )
    files.push(file)
    at += file.length
  }
  const directory = Buffer.concat(entries)
  const end = numbers(
    [4, 0x06054b50],
    [4, 0],
    [2, entries.length],
    [2, entries.length],
    [4, directory.length],
    [4, at],
    [2, 0],
  )
  return new Uint8Array(Buffer.concat([...files, directory, end]))
}

function numbers(...fields: [size: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const field = Buffer.alloc(size)
      field.writeUIntLE(value, 0, size)
      return field
    }),
  )
}
