/**
 * Makes web/fonts/*.woff2: subsets with Ū and ū only, from the extended Latin fonts (90 and 20 KB). The product name
 * contains that letter, and without these files every first visit would fetch the full fonts. Run it after an update of
 * @fontsource-variable. Their license, SIL OFL 1.1, also applies to the subsets.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

const LETTERS = ['Ū', 'ū']
const FONTS = [
  ['literata', 'opsz', 'literata-u-macron.woff2'],
  ['hanken-grotesk', 'wght', 'hanken-grotesk-u-macron.woff2'],
]

/** Tags that WOFF2 names by their number; blanks of a tag are written as underscores here. */
const KNOWN_TAGS =
  `cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT
  VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat
  fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill`
    .split(/\s+/)
    .map((tag) => tag.replace('_', ' '))

const root = fileURLToPath(new URL('..', import.meta.url))
mkdirSync(`${root}web/fonts`, { recursive: true })
for (const [family, axes, name] of FONTS) {
  const file = `node_modules/@fontsource-variable/${family}/files/${family}-latin-ext-${axes}-normal.woff2`
  writeFileSync(`${root}web/fonts/${name}`, written(reduced(read(readFileSync(root + file)))))
}

/** Tables by their tags, each of them with whether WOFF2 has it in another form than a font has. */
function read(woff2) {
  const file = reader(woff2)
  file.at = 12
  const count = file.u16()
  file.at = 20
  const packed = file.u32()
  file.at = 48
  const entries = Array.from({ length: count }, () => {
    const flags = file.u8()
    const known = KNOWN_TAGS[flags & 63]
    const tag = known ?? file.text(4)
    const version = flags >> 6
    const isOther = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
    const length = file.base128()
    return { tag, isOther, length: isOther ? file.base128() : length }
  })
  const data = brotliDecompressSync(woff2.subarray(file.at, file.at + packed))
  const tables = new Map()
  let at = 0
  for (const { tag, isOther, length } of entries) {
    tables.set(tag, { isOther, data: data.subarray(at, at + length) })
    at += length
  }
  return tables
}

/** The tables of a font reduced to the letters and the glyphs that they are composed of. */
function reduced(tables) {
  const table = (tag) => tables.get(tag)?.data
  const glyphs = readGlyphs(table('glyf'))
  const wanted = LETTERS.map((letter) => glyphOf(table('cmap'), letter.codePointAt(0)))
  const kept = [0]
  const keep = (glyph) => {
    if (!kept.includes(glyph)) kept.push(glyph)
    for (const { glyph: part } of glyphs[glyph].parts ?? []) keep(part)
  }
  for (const glyph of wanted) keep(glyph)

  const drawn = kept.map((glyph) => glyphData(glyphs[glyph], kept))
  const offsets = placesOf(drawn)
  const copied = ['OS/2', 'name', 'fvar', 'avar', 'MVAR', 'prep', 'gasp'].filter(table)
  return new Map([
    ...copied.map((tag) => [tag, table(tag)]),
    ['head', changed(table('head'), (head) => head.writeInt16BE(1, 50))],
    ['maxp', changed(table('maxp'), (maxp) => maxp.writeUInt16BE(kept.length, 4))],
    ['hhea', changed(table('hhea'), (hhea) => hhea.writeUInt16BE(kept.length, 34))],
    ['hmtx', metrics(tables.get('hmtx'), table('hhea').readUInt16BE(34), kept, glyphs)],
    ['cmap', cmapOf(wanted.map((glyph) => kept.indexOf(glyph)))],
    ['post', changed(table('post').subarray(0, 32), (post) => post.writeUInt32BE(0x30000, 0))],
    ['gvar', variations(table('gvar'), kept)],
    ['HVAR', widthVariations(table('HVAR'), kept)],
    ['glyf', Buffer.concat(drawn)],
    ['loca', Buffer.concat(offsets.map(u32))],
  ])
}

/** All glyphs of the form that WOFF2 gives to `glyf`: each kind of number in a stream of its own. */
function readGlyphs(data) {
  const head = reader(data)
  head.u16()
  const options = head.u16()
  const count = head.u16()
  head.u16()
  const sizes = Array.from({ length: 7 }, () => head.u32())
  if (options !== 0) throw new Error('This script reads no overlap bits')
  let from = head.at
  const [contours, points, flags, places, parts, boxes, code] = sizes.map((size) => {
    from += size
    return reader(data.subarray(from - size, from))
  })
  const hasBox = boxes.bytes(4 * Math.ceil(count / 32))
  return Array.from({ length: count }, (_, glyph) => {
    const outlines = contours.i16()
    const box = hasBox[glyph >> 3] & (0x80 >> (glyph & 7)) ? boxes.bytes(8) : null
    if (outlines === 0) return { outlines, box: null }
    if (outlines < 0) {
      const read = readParts(parts)
      return { outlines, box, ...read, code: read.hasCode ? code.bytes(places.short()) : null }
    }
    const ends = Array.from({ length: outlines }, () => points.short())
    const total = ends.reduce((sum, length) => sum + length, 0)
    const steps = Array.from({ length: total }, () => step(flags.u8(), places))
    return { outlines, box: box ?? boxOf(steps), ends, steps, code: code.bytes(places.short()) }
  })
}

/** The components of a composite glyph. */
function readParts(stream) {
  const parts = []
  let flags = 0
  do {
    flags = stream.u16()
    const glyph = stream.u16()
    const size = (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    parts.push({ flags, glyph, rest: stream.bytes(size) })
  } while (flags & 0x20)
  return { parts, hasCode: parts.some((part) => part.flags & 0x100) }
}

/** One point, from the one before it (WOFF2, 5.2). */
function step(byte, stream) {
  const isOn = byte < 128
  const flag = byte & 127
  const signed = (bits, size) => (bits & 1 ? size : -size)
  const next = () => stream.u8()
  if (flag < 10) return { isOn, dx: 0, dy: signed(flag, ((flag & 14) << 7) + next()) }
  if (flag < 20) return { isOn, dx: signed(flag, (((flag - 10) & 14) << 7) + next()), dy: 0 }
  if (flag < 84) {
    const [high, low] = [flag - 20, next()]
    const dx = signed(flag, 1 + (high & 0x30) + (low >> 4))
    return { isOn, dx, dy: signed(flag >> 1, 1 + ((high & 12) << 2) + (low & 15)) }
  }
  if (flag < 120) {
    const high = flag - 84
    const dx = signed(flag, 1 + (Math.floor(high / 12) << 8) + next())
    return { isOn, dx, dy: signed(flag >> 1, 1 + (((high % 12) >> 2) << 8) + next()) }
  }
  if (flag < 124) {
    const [first, second, third] = [next(), next(), next()]
    const dx = signed(flag, (first << 4) + (second >> 4))
    return { isOn, dx, dy: signed(flag >> 1, ((second & 15) << 8) + third) }
  }
  const dx = signed(flag, (next() << 8) + next())
  return { isOn, dx, dy: signed(flag >> 1, (next() << 8) + next()) }
}

function boxOf(steps) {
  const [xs, ys] = [[], []]
  let [x, y] = [0, 0]
  for (const { dx, dy } of steps) {
    x += dx
    y += dy
    xs.push(x)
    ys.push(y)
  }
  const ends = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  return Buffer.concat(ends.map(i16))
}

/** A glyph as fonts have it, at a multiple of four bytes; its pieces by their new numbers. */
function glyphData({ outlines, box, ends, steps, parts, code }, kept) {
  if (outlines === 0) return Buffer.alloc(0)
  const body = parts
    ? parts.flatMap(({ flags, glyph, rest }) => [u16(flags), u16(kept.indexOf(glyph)), rest])
    : ends.map((_, at) => u16(ends.slice(0, at + 1).reduce((sum, length) => sum + length, -1)))
  const codes = code ? [u16(code.length), code] : []
  const drawn = parts
    ? []
    : [
        Buffer.from(steps.map(({ isOn }) => (isOn ? 1 : 0))),
        ...steps.map(({ dx }) => i16(dx)),
        ...steps.map(({ dy }) => i16(dy)),
      ]
  const bytes = Buffer.concat([i16(outlines), box, ...body, ...codes, ...drawn])
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}

/** Advance widths and left side bearings; WOFF2 omits bearings that the bounding box implies. */
function metrics({ isOther, data }, wide, kept, glyphs) {
  const isLeftOut = isOther && data[0] & 1
  const widths = data.subarray(isOther ? 1 : 0)
  const size = isOther ? 2 : 4
  return Buffer.concat(
    kept.flatMap((glyph) => {
      if (isOther && !isLeftOut) throw new Error('This script reads no left sides of their own')
      const at = size * Math.min(glyph, wide - 1)
      const left = isLeftOut
        ? (glyphs[glyph].box?.subarray(0, 2) ?? u16(0))
        : glyph < wide
          ? widths.subarray(at + 2, at + 4)
          : widths.subarray(4 * wide + 2 * (glyph - wide)).subarray(0, 2)
      return [widths.subarray(at, at + 2), left]
    }),
  )
}

/** The glyph of a character, by the table of kind 4. */
function glyphOf(cmap, character) {
  for (let entry = 4; entry < 4 + 8 * cmap.readUInt16BE(2); entry += 8) {
    const at = cmap.readUInt32BE(entry + 4)
    if (cmap.readUInt16BE(at) !== 4) continue
    const size = cmap.readUInt16BE(at + 6)
    for (let two = 0; two < size; two += 2) {
      const end = cmap.readUInt16BE(at + 14 + two)
      const start = cmap.readUInt16BE(at + 16 + size + two)
      if (character < start || character > end) continue
      const delta = cmap.readUInt16BE(at + 16 + 2 * size + two)
      const place = at + 16 + 3 * size + two
      const range = cmap.readUInt16BE(place)
      if (range === 0) return (character + delta) & 0xffff
      return (cmap.readUInt16BE(place + range + 2 * (character - start)) + delta) & 0xffff
    }
  }
  throw new Error(`The font has no U+${character.toString(16)}`)
}

/** Segments of one character each, and the last one that the format asks for. */
function cmapOf(glyphs) {
  const codes = [...LETTERS.map((letter) => letter.codePointAt(0)), 0xffff]
  const deltas = codes.map((code, at) => (at < glyphs.length ? (glyphs[at] - code) & 0xffff : 1))
  const two = 2 * codes.length
  const search = 2 ** Math.floor(Math.log2(codes.length))
  const head = [4, 16 + 4 * two, 0, two, 2 * search, Math.log2(search), two - 2 * search]
  const segments = [...head, ...codes, 0, ...codes, ...deltas, ...codes.map(() => 0)]
  const entry = [0, 1, 3, 1].map(u16)
  return Buffer.concat([...entry, u32(12), ...segments.map(u16)])
}

/** How the kept glyphs change along the axes. */
function variations(gvar, kept) {
  const [axes, tuples] = [gvar.readUInt16BE(4), gvar.readUInt16BE(6)]
  const shared = gvar.readUInt32BE(8)
  const isLong = gvar.readUInt16BE(14) & 1
  const first = gvar.readUInt32BE(16)
  const offset = (glyph) =>
    isLong ? gvar.readUInt32BE(20 + 4 * glyph) : 2 * gvar.readUInt16BE(20 + 2 * glyph)
  const data = kept.map((glyph) => gvar.subarray(first + offset(glyph), first + offset(glyph + 1)))
  const ends = placesOf(data)
  const points = gvar.subarray(shared, shared + 2 * axes * tuples)
  const tuplesAt = 20 + 4 * ends.length
  return Buffer.concat([
    gvar.subarray(0, 8),
    u32(tuplesAt),
    u16(kept.length),
    u16(1),
    u32(tuplesAt + points.length),
    ...ends.map(u32),
    points,
    ...data,
  ])
}

/** How the widths of the kept glyphs change along the axes: a set of one row for each of them. */
function widthVariations(hvar, kept) {
  const store = hvar.readUInt32BE(4)
  const regions = store + hvar.readUInt32BE(store + 2)
  const regionsLength = 4 + 6 * hvar.readUInt16BE(regions) * hvar.readUInt16BE(regions + 2)
  const sets = kept.map((glyph) => {
    const [outer, inner] = widthRow(hvar, glyph)
    const set = store + hvar.readUInt32BE(store + 8 + 4 * outer)
    const [words, count] = [hvar.readUInt16BE(set + 2), hvar.readUInt16BE(set + 4)]
    const [wide, narrow] = words & 0x8000 ? [4, 2] : [2, 1]
    const size = wide * (words & 0x7fff) + narrow * (count - (words & 0x7fff))
    const rows = set + 6 + 2 * count
    const row = hvar.subarray(rows + inner * size, rows + (inner + 1) * size)
    return Buffer.concat([u16(1), hvar.subarray(set + 2, rows), row])
  })
  const head = 8 + 4 * sets.length
  const ends = placesOf(sets, head + regionsLength)
  const copied = hvar.subarray(regions, regions + regionsLength)
  const newStore = [
    u16(1),
    u32(head),
    u16(sets.length),
    ...ends.slice(0, -1).map(u32),
    copied,
    ...sets,
  ]
  // Entries of four bytes, the lower two of them for the row.
  const map = [Buffer.from([0, 0x3f]), u16(kept.length), ...kept.map((_, set) => u32(set << 16))]
  return Buffer.concat([
    hvar.subarray(0, 4),
    u32(20),
    u32(20 + ends.at(-1)),
    u32(0),
    u32(0),
    ...newStore,
    ...map,
  ])
}

/** Set and row of a glyph. */
function widthRow(hvar, glyph) {
  const map = hvar.readUInt32BE(8)
  if (map === 0) return [0, glyph]
  const [format, entry] = [hvar[map], hvar[map + 1]]
  const count = format === 0 ? hvar.readUInt16BE(map + 2) : hvar.readUInt32BE(map + 2)
  const size = ((entry >> 4) & 3) + 1
  const at = map + (format === 0 ? 4 : 6) + size * Math.min(glyph, count - 1)
  const bits = (entry & 15) + 1
  const value = hvar.readUIntBE(at, size)
  return [Math.floor(value / 2 ** bits), value % 2 ** bits]
}

/** A WOFF2 file of tables in the form that fonts have. */
function written(tables) {
  const entries = [...tables]
  const packed = brotliCompressSync(Buffer.concat(entries.map(([, data]) => data)))
  const directory = Buffer.concat(
    entries.map(([tag, { length }]) => {
      const known = KNOWN_TAGS.indexOf(tag)
      const isPlain = tag === 'glyf' || tag === 'loca' ? 3 << 6 : 0
      const flags = Buffer.from([isPlain | (known < 0 ? 63 : known)])
      return Buffer.concat([flags, known < 0 ? Buffer.from(tag) : Buffer.alloc(0), base128(length)])
    }),
  )
  const size = entries.reduce((sum, [, { length }]) => sum + ((length + 3) & ~3), 0)
  const length = (48 + directory.length + packed.length + 3) & ~3
  const head = Buffer.alloc(48)
  head.write('wOF2', 0)
  head.writeUInt32BE(0x10000, 4)
  head.writeUInt32BE(length, 8)
  head.writeUInt16BE(entries.length, 12)
  head.writeUInt32BE(12 + 16 * entries.length + size, 16)
  head.writeUInt32BE(packed.length, 20)
  head.writeUInt16BE(1, 24)
  const file = Buffer.alloc(length)
  Buffer.concat([head, directory, packed]).copy(file)
  return file
}

/** Where each of the pieces begins, and where the last one ends. */
function placesOf(pieces, from = 0) {
  const places = [from]
  for (const { length } of pieces) places.push(places.at(-1) + length)
  return places
}

function changed(data, change) {
  const copy = Buffer.from(data)
  change(copy)
  return copy
}

function reader(buffer) {
  const take = (size, value) => {
    self.at += size
    return value
  }
  const self = {
    at: 0,
    u8: () => take(1, buffer.readUInt8(self.at)),
    u16: () => take(2, buffer.readUInt16BE(self.at)),
    i16: () => take(2, buffer.readInt16BE(self.at)),
    u32: () => take(4, buffer.readUInt32BE(self.at)),
    text: (size) => self.bytes(size).toString('latin1'),
    bytes: (size) => take(size, buffer.subarray(self.at, self.at + size)),
    /** 255UInt16 of the format. */
    short() {
      const code = self.u8()
      if (code === 253) return self.u16()
      return code === 255 ? 253 + self.u8() : code === 254 ? 506 + self.u8() : code
    },
    base128() {
      let value = 0
      for (let byte = 128; byte & 128; ) {
        byte = self.u8()
        value = value * 128 + (byte & 127)
      }
      return value
    },
  }
  return self
}

function base128(value) {
  const bytes = [value & 127]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 127) | 128)
  return Buffer.from(bytes)
}

function u16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function i16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
