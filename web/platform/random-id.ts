/**
 * A UUID of version 4. The browser's own maker of them is missing on pages over plain http, where the
 * app must work all the same. `fill` puts random bytes into the array it is given.
 */
export function randomId(fill: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const bytes = fill(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
