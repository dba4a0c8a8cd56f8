import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses or networks such as 10.0.0.0/8. Null when one of them is neither. */
export function networkList(entries: readonly string[]): BlockList | null {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const bits = isIPv6(address) ? 128 : 32
    if (isIP(address) === 0) return null
    if (prefix === undefined) list.addAddress(address, family(address))
    else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return null
    else list.addSubnet(address, Number(prefix), family(address))
  }
  return list
}

/**
 * The network a request comes from: its address, or the first half of an IPv6 address, because that is
 * what one household gets. A proxy's word is taken only when the proxy is trusted.
 */
export function clientNetwork(
  peer: string,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  const named = (forwardedFor?.split(',') ?? []).map((hop) => withoutPort(hop.trim()))
  const hops = [...named, peer].map(plainAddress)
  // From the right: each trusted proxy vouches for the hop before it, and for nothing further.
  let client = hops.pop() ?? ''
  while (isTrusted(client, trusted) && isIP(hops.at(-1) ?? '') !== 0) client = hops.pop() ?? ''
  return isIPv6(client) ? firstHalf(client) : client
}

/** The /48 of a network that `clientNetwork` names, which is what one IPv6 customer gets. Null for IPv4. */
export function siteOf(network: string): string | null {
  const groups = /^((?:[\da-f]+:){2}[\da-f]+):[\da-f]+::\/64$/.exec(network)
  return groups ? `${groups[1]}::/48` : null
}

export function isTrusted(address: string, trusted: BlockList): boolean {
  return isIP(address) !== 0 && trusted.check(address, family(address))
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** IPv4 addresses inside IPv6: mapped (RFC 4291) and translated by NAT64 (RFC 6052), as URLs write them. */
const EMBEDDED = /^\[(?:::ffff|64:ff9b:):([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** The IPv4 address that an IPv6 address contains; any other address as it is. */
export function plainAddress(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  const groups = EMBEDDED.exec(new URL(`http://[${address}]`).hostname)?.slice(1) ?? []
  const bytes = groups.flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 0xff]
  })
  return bytes.join('.') || address
}

/** Removes a port and quotation marks, which some proxies add: `203.0.113.7:51442`, `"[2001:db8::1]:443"`. */
const withoutPort = (hop: string): string =>
  /^"?(?:\[([\da-f:.]+)\]|(\d+(?:\.\d+){3}))(?::\d{1,5})?"?$/i.exec(hop)?.slice(1).find(Boolean) ??
  hop

function firstHalf(address: string): string {
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const left = before === '' ? [] : before.split(':')
  const right = after === undefined || after === '' ? [] : after.split(':')
  const gap =
    after === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...gap, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
