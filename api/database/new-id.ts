const COUNTER_BITS = 12
const COUNTER_END = 1 << COUNTER_BITS

/**
 * Creates UUIDs of version 7: time, then a counter, then random bits. Ids of one source sort in the order of their
 * creation (Q92), also within a millisecond and when the clock is set back.
 */
export function idSource(
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  let time = 0
  let counter = 0
  return () => {
    const present = now()
    if (present > time) [time, counter] = [present, 0]
    else if (++counter === COUNTER_END) [time, counter] = [time + 1, 0]
    return format(time, counter, Buffer.from(randomBytes(8)))
  }
}

const POOL_BYTES = 4_096

/** Requests many random bytes at once and hands out each of them once, because a request costs more than the bytes. */
export function pooled(randomBytes: (count: number) => Uint8Array): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  return (count) => {
    if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0]
    used += count
    return pool.subarray(used - count, used)
  }
}

function format(time: number, counter: number, random: Buffer): string {
  const clock = time.toString(16).padStart(12, '0')
  const sequence = counter.toString(16).padStart(3, '0')
  const variant = ((random.readUInt8(0) & 0x3f) | 0x80).toString(16)
  const rest = random.subarray(1).toString('hex')
  return [
    clock.slice(0, 8),
    clock.slice(8),
    `7${sequence}`,
    variant + rest.slice(0, 2),
    rest.slice(2),
  ].join('-')
}
