import { expect } from '@playwright/test'
import { sha256 } from '../api/articles/stored-text.ts'
import { fingerprinted } from '../domain/text/fingerprint.ts'
import { runCount } from '../scripts/test-depth.ts'
import { ADMIN, type Agency, startAgency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { stored, words } from './writer.ts'

/** Kill -9 of the server in the middle of writes: every write confirmed with 2xx is there afterwards. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
const KILLS = runCount('SERVER_KILLS')
const WRITERS = 50

let agency: Agency

test.beforeAll(async () => {
  agency = await startAgency({ LOG_LEVEL: 'silent' })
})
test.afterAll(() => agency.close())

test(`every acknowledged PATCH survives ${KILLS} kills of the server`, {
  tag: ['@fault-25'],
}, async () => {
  test.setTimeout(60_000 + KILLS * 10_000)
  const { token } = agency.sessionOf(WRITER.email).tokens.access
  const { id } = stored(agency, ARTICLE)
  let serial = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const acknowledged: string[] = []
    let alive = true
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (alive) {
          serial += 1
          const word = `w${serial}`
          const kept = await save(id, token, word).catch(() => false)
          if (kept) acknowledged.push(word)
        }
      }),
    )
    await expect
      .poll(() => acknowledged.length, { intervals: [5] })
      .toBeGreaterThan(4 + (kill % 20))
    await agency.kill()
    alive = false
    await writing
    await agency.restart()
    const known = new Set(agency.revisions(id).map((revision) => words(revision.text)))
    expect(acknowledged.filter((word) => !known.has(word))).toEqual([])
  }
  expect(agency.fault()).toBeNull()
})

test(`every acknowledged completion has one receipt of its text, through ${KILLS} kills`, {
  tag: ['@fault-70'],
}, async () => {
  test.setTimeout(60_000 + KILLS * 10_000)
  const admin = agency.sessionOf(ADMIN).tokens.access.token
  const articles = agency
    .articles()
    .filter(({ completed, text }) => completed === 0 && text !== '')
    .slice(0, 8)
    .map(({ id }) => id)
  /** The text of each acknowledged hand-in, by article and number. */
  const acknowledged = new Map<string, string>()
  let serial = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = acknowledged.size
    let alive = true
    const writing = Promise.all(
      articles.map(async (id) => {
        while (alive) {
          serial += 1
          const word = `w${serial}`
          const body = { articleText: textOf(word), completed: true }
          const answer = await patch(id, admin, body).catch(() => null)
          const number = answer?.headers.get('contun-hand-in')
          if (number) acknowledged.set(`${id} ${number}`, word)
          await patch(id, admin, { completed: false }).catch(() => null)
        }
      }),
    )
    await expect
      .poll(() => acknowledged.size - before, { intervals: [5] })
      .toBeGreaterThan(2 + (kill % 10))
    await agency.kill()
    alive = false
    await writing
    await agency.restart()
    for (const id of articles) expectOneReceiptEach(id, acknowledged)
  }
  expect(agency.fault()).toBeNull()
})

/**
 * Each completion has one hand-in of its version with the hash of its text, numbered in order. Compared as a whole: each
 * `expect` takes milliseconds, and after hundreds of kills there are thousands of hand-ins.
 */
function expectOneReceiptEach(id: string, acknowledged: ReadonlyMap<string, string>): void {
  const { handIns, completed } = agency.handIns(id)
  const texts = new Map(agency.revisions(id).map((one) => [one.textVersion, one]))
  const wanted = completed.map((textVersion, at) => {
    const { document = {}, text = '' } = texts.get(textVersion) ?? {}
    const word = acknowledged.get(`${id} ${at + 1}`) ?? words(text)
    return { number: at + 1, textVersion, textHash: sha256(fingerprinted(document).document), word }
  })
  const found = handIns.map((handIn) => ({
    ...handIn,
    word: words(texts.get(handIn.textVersion)?.text ?? ''),
  }))
  expect(found).toEqual(wanted)
  const numbers = new Set(handIns.map(({ number }) => `${id} ${number}`))
  const missing = [...acknowledged.keys()].filter((key) => key.startsWith(id) && !numbers.has(key))
  expect(missing).toEqual([])
}

const textOf = (word: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: word }] }],
})

const save = async (id: string, token: string, word: string): Promise<boolean> =>
  (await patch(id, token, { articleText: textOf(word) })).status === 200

const patch = (id: string, token: string, body: object): Promise<Response> =>
  fetch(`${agency.url}/v1/articles/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
