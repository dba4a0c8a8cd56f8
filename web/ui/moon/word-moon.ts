export type Dash = { x: number; y: number; width: number; color: string }

const RADIUS = 212
const ROW = 10.6
const GAP = 5.2
const LIT = 0.68
const SOFT_EDGE = 40

/** Darker plains, as x, y and radius; each takes away up to the given part of the light. */
const SEAS = [
  { x: 30, y: -92, r: 50, depth: 0.55 },
  { x: -52, y: -56, r: 46, depth: 0.5 },
  { x: 94, y: -32, r: 36, depth: 0.5 },
  { x: 66, y: 26, r: 34, depth: 0.5 },
  { x: 160, y: 14, r: 22, depth: 0.55 },
  { x: -62, y: 44, r: 26, depth: 0.45 },
  { x: 2, y: 84, r: 20, depth: 0.5 },
]

const NIGHT = [0x1c, 0x42, 0x4b] as const
const PAPER = [0xf0, 0xea, 0xd8] as const

/** The moon written in lines of words, around the origin. Seeded, so that it is always the same moon. */
export function wordMoon(): Dash[] {
  const random = seeded(19)
  const dashes: Dash[] = []
  const rows = Math.floor(RADIUS / ROW)
  for (let row = -rows + 1; row < rows; row += 1) dashes.push(...writeRow(row * ROW, random))
  return dashes
}

function writeRow(y: number, random: () => number): Dash[] {
  const half = Math.sqrt(RADIUS ** 2 - y ** 2)
  const dashes: Dash[] = []
  let x = -half + random() * 8
  while (x < half - 8) {
    const width = Math.min(wordWidth(random), half - x)
    if (width >= 8) dashes.push({ x, y, width, color: colorAt(x + width / 2, y) })
    x += width + GAP
  }
  return dashes
}

/** Mostly short words, as in writing. */
const wordWidth = (random: () => number): number => 8 + 40 * random() ** 1.5

function colorAt(x: number, y: number): string {
  const edge = -(2 * LIT - 1) * Math.sqrt(RADIUS ** 2 - y ** 2)
  const light = clamp((x - edge) / SOFT_EDGE + 0.5)
  const shade = SEAS.reduce((left, sea) => {
    const depth = clamp(2 * (1 - Math.hypot(x - sea.x, y - sea.y) / sea.r))
    return left * (1 - sea.depth * depth)
  }, 1)
  const part = light * shade
  const mixed = NIGHT.map((dark, channel) =>
    Math.round(dark + ((PAPER[channel] ?? dark) - dark) * part),
  )
  return `rgb(${mixed.join(' ')})`
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** A small generator of even numbers in [0, 1) (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
