import { expect } from '@playwright/test'
import { runCount } from '../scripts/test-depth.ts'
import { type Agency, startAgency, WRITER } from './agency.ts'
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

async function save(id: string, token: string, word: string): Promise<boolean> {
  const articleText = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: word }] }],
  }
  const answer = await fetch(`${agency.url}/v1/articles/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ articleText }),
  })
  return answer.status === 200
}
