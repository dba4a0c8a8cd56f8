import { describe, expect, it } from 'vitest'
import { clientNetwork, networkList, siteOf } from './client-network.ts'
import { memoryCounts } from './count-store.ts'

describe('counts in memory', () => {
  function counting(keysMax?: number) {
    let time = 0
    const store = memoryCounts(() => time, keysMax)
    const add = async (key: string, amount = 1) => (await store.add(key, amount, 1_000)).count
    return { store, add, wait: (ms: number) => (time += ms) }
  }

  it('restart when the window that began with the first is over', async () => {
    const { store, add, wait } = counting()
    expect([await add('a'), await add('a'), await add('b')]).toEqual([1, 2, 1])
    wait(999)
    expect(await store.add('a', 1, 1_000)).toEqual({ count: 3, msLeft: 1 })
    wait(1)
    expect(await store.add('a', 1, 1_000)).toEqual({ count: 1, msLeft: 1_000 })
  })

  it('never drop below zero, and are not decremented in a window that is over', async () => {
    const { add, wait } = counting()
    expect([await add('a'), await add('a', -1), await add('a', -1), await add('a')]).toEqual([
      1, 0, 0, 1,
    ])
    wait(1_000)
    expect([await add('a', -1), await add('a')]).toEqual([0, 1])
  })

  it('forget the keys that were quiet longest when there are too many', async () => {
    const { add } = counting(3)
    for (const key of ['a', 'b', 'c', 'a', 'd']) await add(key)
    expect([await add('a'), await add('c'), await add('d'), await add('b')]).toEqual([3, 2, 2, 1])
  })
})

describe('the network of a request', () => {
  it.each([
    ['a plain connection', '203.0.113.9', undefined, [], '203.0.113.9'],
    ['IPv4 through an IPv6 socket', '::ffff:203.0.113.9', undefined, [], '203.0.113.9'],
    ['a household of IPv6', '2001:db8:1:2:3:4:5:6', undefined, [], '2001:db8:1:2::/64'],
    ['the same household', '2001:DB8:1:2::9', undefined, [], '2001:db8:1:2::/64'],
    ['zeros left out in front', '::1', undefined, [], '0:0:0:0::/64'],
    ['zeros left out behind', '2001:db8::', undefined, [], '2001:db8:0:0::/64'],
    ['a spoofed header', '203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
    [
      'a spoofed header past another proxy',
      '203.0.113.9',
      '198.51.100.1',
      ['10.0.0.0/8'],
      '203.0.113.9',
    ],
    ['our proxy', '10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    [
      'a spoofed hop before our proxy',
      '10.1.2.3',
      '192.0.2.7, 198.51.100.1',
      ['10.0.0.0/8'],
      '198.51.100.1',
    ],
    ['two of our proxies', '10.1.2.3', '198.51.100.1,10.9.9.9', ['10.0.0.0/8'], '198.51.100.1'],
    ['our proxy by itself', '127.0.0.1', undefined, ['127.0.0.1'], '127.0.0.1'],
    ['our proxy with nonsense', '127.0.0.1', 'unknown', ['127.0.0.1'], '127.0.0.1'],
    ['our proxy over IPv6', 'fd00::1', '198.51.100.1', ['fd00::/8'], '198.51.100.1'],
    ['an entry with a port', '127.0.0.1', '203.0.113.7:51442', ['127.0.0.1'], '203.0.113.7'],
    ['IPv6 with a port', '127.0.0.1', '[2001:db8::1]:443', ['127.0.0.1'], '2001:db8:0:0::/64'],
    ['IPv6 in brackets', '127.0.0.1', '[2001:db8::1]', ['127.0.0.1'], '2001:db8:0:0::/64'],
    [
      'ports at every hop',
      '127.0.0.1',
      '192.0.2.7:1, 198.51.100.1:2, 10.9.9.9:3',
      ['127.0.0.1', '10.0.0.0/8'],
      '198.51.100.1',
    ],
    ['a port that is none', '127.0.0.1', '203.0.113.7:x', ['127.0.0.1'], '127.0.0.1'],
    ['mapped IPv4 in hexadecimal', '::ffff:cb00:7109', undefined, [], '203.0.113.9'],
    ['mapped IPv4, written out', '0:0:0:0:0:FFFF:203.0.113.9', undefined, [], '203.0.113.9'],
    ['IPv4 behind NAT64', '64:ff9b::cb00:7109', undefined, [], '203.0.113.9'],
    [
      'mapped IPv4 with a port',
      '10.0.0.1',
      '[::ffff:cb00:7109]:51442',
      ['10.0.0.0/8'],
      '203.0.113.9',
    ],
    ['a port in quotation marks', '10.0.0.1', '"203.0.113.9:80"', ['10.0.0.0/8'], '203.0.113.9'],
    ['the same of IPv6', '10.0.0.1', '"[2001:db8::1]"', ['10.0.0.0/8'], '2001:db8:0:0::/64'],
    [
      'a proxy named by its mapped address',
      '10.0.0.1',
      '203.0.113.9',
      ['::ffff:a00:1'],
      '203.0.113.9',
    ],
    ['no connection at all', '', '198.51.100.1', ['127.0.0.1'], ''],
  ])('%s', (_, peer, forwardedFor, proxies, expected) => {
    const trusted = networkList(proxies)
    expect(trusted && clientNetwork(peer, forwardedFor, trusted)).toBe(expected)
  })

  it.each([
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['0:0:0:0::/64', '0:0:0::/48'],
    ['203.0.113.9', null],
    ['', null],
  ])('%s is of the site %s', (network, site) => {
    expect(siteOf(network)).toBe(site)
  })
})
