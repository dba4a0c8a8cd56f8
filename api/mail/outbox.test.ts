import { describe, expect, it } from 'vitest'
import { createTestApp, type TestOptions } from '../testing/test-app.ts'
import type { Mail } from './mailer.ts'
import { deliverMail, queueMail } from './outbox.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A mail server that accepts mails, or refuses them. */
function postOffice(isOpen: () => boolean) {
  const taken: Mail[] = []
  let tries = 0
  const send = async (mail: Mail) => {
    tries++
    if (!isOpen()) throw new Error('connection refused')
    taken.push(mail)
  }
  return { mailer: { send }, taken, tries: () => tries }
}

async function world(isOpen: () => boolean, options: TestOptions = {}) {
  const post = postOffice(isOpen)
  const app = await createTestApp({ ...options, deps: { mailer: post.mailer, ...options.deps } })
  const user = await app.user({ name: 'Imogen Hale', email: 'imogen@larkspur.example' })
  const forgot = async (email = user.email) => {
    const { status } = await app.as(null).post('/v1/auth/forgot-password', { email })
    await app.settled()
    return status
  }
  const reset = async (token: string | undefined, password = 'the new one of Imogen') => {
    const { status } = await app.as(null).post('/v1/auth/reset-password', { token, password })
    await app.settled()
    return status
  }
  /** Polls for due mails as the server does, every 5 seconds. */
  const wait = async (ms: number) => {
    for (let waited = 0; waited < ms; waited += 5 * SECOND) {
      app.clock.advance(5 * SECOND)
      await deliverMail(app.deps)
    }
  }
  const waiting = () => app.db.selectFrom('mail_outbox').selectAll().execute()
  return { ...app, ...post, person: user, forgot, reset, wait, waiting }
}

const tokenIn = (mail: Mail | undefined) => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]

describe('a mail on its way out', { tags: ['@Q24'] }, () => {
  it('leaves at once and leaves nothing behind', async () => {
    const { forgot, taken, waiting } = await world(() => true)
    expect(await forgot()).toBe(204)
    expect(taken.map(({ to }) => to)).toEqual(['imogen@larkspur.example'])
    expect(await waiting()).toEqual([])
  })

  it('is tried again after growing pauses, with the same link, until it is taken', async () => {
    let isOpen = false
    const { forgot, reset, taken, tries, wait, waiting } = await world(() => isOpen)
    await forgot()
    expect([tries(), (await waiting()).length]).toEqual([1, 1])
    const counts: number[] = []
    for (let at = 0; at < 10; at++) {
      await wait(MINUTE)
      counts.push(tries())
    }
    expect(counts).toEqual([3, 4, 4, 5, 5, 5, 5, 5, 6, 6])
    isOpen = true
    await wait(5 * MINUTE)
    expect(taken).toHaveLength(1)
    expect(await reset(tokenIn(taken[0]))).toBe(204)
  })

  it('is given up when its link would be dead, and a new one can be asked for', async () => {
    let isOpen = false
    const { forgot, taken, tries, wait, waiting, logLines } = await world(() => isOpen)
    await forgot()
    await wait(31 * MINUTE)
    const tried = tries()
    isOpen = true
    await wait(HOUR)
    expect([taken, await waiting(), tries()]).toEqual([[], [], tried])
    expect(logLines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'Mail given up', fields: { kind: 'reset' } },
    ])
    await forgot()
    expect(taken).toHaveLength(1)
  })

  it('has a link that lives from the request on, not from the delivery', async () => {
    let isOpen = false
    const { forgot, reset, taken, wait, clock } = await world(() => isOpen)
    await forgot()
    await wait(20 * MINUTE)
    isOpen = true
    await wait(5 * MINUTE)
    expect(taken).toHaveLength(1)
    clock.advance(5 * MINUTE)
    expect(await reset(tokenIn(taken[0]))).toBe(401)
  })

  it('gives way to a newer request for the same account', async () => {
    let isOpen = false
    const { forgot, reset, taken, wait, clock } = await world(() => isOpen)
    await forgot()
    clock.advance(SECOND)
    await forgot()
    isOpen = true
    await wait(HOUR)
    expect(taken).toHaveLength(1)
    expect(await reset(tokenIn(taken[0]))).toBe(401)
    await forgot()
    expect(await reset(tokenIn(taken[1]))).toBe(204)
  })

  it.each([
    ['a new password', { password: 'a lamp in the reeds' }],
    ['another address', { email: 'i.hale@larkspur.example' }],
  ])('is not sent any more after %s', async (_, change) => {
    let isOpen = false
    const { forgot, taken, wait, as, person, user, waiting, settled } = await world(() => isOpen)
    await forgot()
    const admin = await user({ role: 'admin' })
    expect((await as(admin).patch(`/v1/users/${person.id}`, change)).status).toBe(200)
    await settled()
    isOpen = true
    await wait(MINUTE)
    expect(taken.map(tokenIn).filter(Boolean)).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('is not sent twice by two concurrent runs', async () => {
    let isOpen = false
    const { deps, forgot, taken, clock } = await world(() => isOpen)
    await forgot()
    isOpen = true
    clock.advance(MINUTE)
    await Promise.all([deliverMail(deps), deliverMail(deps), deliverMail(deps)])
    expect(taken).toHaveLength(1)
  })

  it('stops no other mail', async () => {
    const bad = 'imogen@larkspur.example'
    const taken: string[] = []
    const send = async ({ to }: Mail) => {
      if (to === bad) throw new Error('mailbox full')
      taken.push(to)
    }
    const { forgot, user } = await world(() => true, { deps: { mailer: { send } } })
    const other = await user({ email: 'rosa@larkspur.example' })
    await forgot(bad)
    await forgot(other.email)
    expect(taken).toEqual([other.email])
  })

  it('is one of 200 in an hour; the rest are queued', async () => {
    const config = { rateLimits: true, resetTokenMinutes: 120 }
    const { user, deps, db, taken, wait, logLines } = await world(() => true, { config })
    const people = await Promise.all(Array.from({ length: 205 }, () => user()))
    await db.updateTable('users').set({ is_email_verified: 1 }).execute()
    for (const { email } of people) await queueMail(deps, db, 'reset', email)
    await wait(MINUTE)
    expect(taken).toHaveLength(200)
    expect(logLines.some(({ message }) => message.startsWith('Half of the mails'))).toBe(true)
    await wait(HOUR + 5 * MINUTE)
    expect(taken).toHaveLength(205)
  })
})

describe('mails to addresses that no account has proved to be its own', { tags: ['@Q24'] }, () => {
  const config = { rateLimits: true, resetTokenMinutes: 120 }

  it('leave room for mails to confirmed addresses', async () => {
    const { user, deps, db, taken, wait, person } = await world(() => true, { config })
    await db
      .updateTable('users')
      .set({ is_email_verified: 1 })
      .where('id', '=', person.id)
      .execute()
    for (let at = 0; at < 60; at++) await queueMail(deps, db, 'reset', (await user()).email)
    await queueMail(deps, db, 'reset', person.email)
    await wait(MINUTE)
    expect(taken).toHaveLength(51)
    expect(taken.map(({ to }) => to)).toContain(person.email)
    await wait(HOUR + 5 * MINUTE)
    expect(taken).toHaveLength(61)
  })

  it('use up none of their share while the mail server is away', async () => {
    let isOpen = false
    const { user, deps, db, taken, wait } = await world(() => isOpen, { config })
    for (let at = 0; at < 30; at++) await queueMail(deps, db, 'reset', (await user()).email)
    await wait(MINUTE)
    isOpen = true
    await wait(3 * MINUTE)
    expect(taken).toHaveLength(30)
  })
})

describe('an unreachable mail server', { tags: ['@Q24'] }, () => {
  it('delays no stop: mails not begun wait for the next start', async () => {
    let draining = false
    const stops = () => {
      draining = true
      return false
    }
    const isDraining = () => draining
    const { user, deps, db, tries, waiting } = await world(stops, { deps: { isDraining } })
    for (let at = 0; at < 3; at++) await queueMail(deps, db, 'reset', (await user()).email)
    await deliverMail(deps)
    expect([tries(), (await waiting()).length]).toEqual([1, 3])
  })

  it('uses up none of the mails of an hour', async () => {
    let isOpen = false
    const config = { rateLimits: true }
    const { user, deps, db, taken, wait } = await world(() => isOpen, { config })
    const people = await Promise.all(Array.from({ length: 120 }, () => user()))
    await db.updateTable('users').set({ is_email_verified: 1 }).execute()
    for (const { email } of people) await queueMail(deps, db, 'reset', email)
    await wait(MINUTE)
    isOpen = true
    await wait(3 * MINUTE)
    expect(taken).toHaveLength(120)
  })
})

describe('a server that is killed', { tags: ['@Q24'] }, () => {
  it('between the response and the mail sends it after its next start', async () => {
    const died = await world(() => true, { deps: { background: () => {} } })
    expect(await died.forgot()).toBe(204)
    expect(died.taken).toEqual([])
    const next = await createTestApp({ db: died.db })
    await deliverMail(next.deps)
    expect(next.sentMail.map(({ to }) => to)).toEqual(['imogen@larkspur.example'])
  })

  it('while the mail server has the mail in hand sends it again, with the same link', async () => {
    const sent: Mail[] = []
    const send = (mail: Mail) => {
      sent.push(mail)
      return new Promise<void>(() => {})
    }
    const background = (task: () => Promise<void>) => void task()
    const died = await world(() => true, { deps: { mailer: { send }, background } })
    await died.forgot()
    await expect.poll(() => sent.length).toBe(1)
    const next = await createTestApp({ db: died.db })
    await deliverMail(next.deps)
    expect(next.sentMail).toEqual([])
    next.clock.advance(2 * MINUTE)
    await deliverMail(next.deps)
    expect(next.sentMail.map(tokenIn)).toEqual(sent.map(tokenIn))
  })

  it('between the mail and the note of it brings no used link back', async () => {
    let isHeard = false
    const mails: Mail[] = []
    const send = async (mail: Mail) => {
      mails.push(mail)
      if (!isHeard) throw new Error('connection lost')
    }
    const { forgot, reset, wait } = await world(() => true, { deps: { mailer: { send } } })
    await forgot()
    isHeard = true
    expect(await reset(tokenIn(mails[0]))).toBe(204)
    await wait(MINUTE)
    expect(await reset(tokenIn(mails[0]), 'another of Imogen')).toBe(401)
    expect(mails.map(tokenIn).filter(Boolean)).toHaveLength(1)
  })

  it('leaves no secret in its database', async () => {
    const { forgot, waiting, db } = await world(() => false)
    await forgot()
    const tokens = await db.selectFrom('reset_tokens').selectAll().execute()
    const rows = JSON.stringify([await waiting(), tokens])
    expect(rows).not.toContain('reset-password')
    expect(rows.match(/[\w-]{43}/g)?.every((text) => /^[\da-f-]+$/.test(text))).toBe(true)
  })
})

/** The words of the HTML, by paragraph. */
const shownWords = (html = '') =>
  (/<body.*<\/body>/s.exec(html)?.[0] ?? '')
    .split(/<\/(?:p|h1|td)>/)
    .map((part) => part.replace(/<[^>]*>/g, '').trim())
    .filter(Boolean)

describe('what mails say', () => {
  it('the link, in plain text and in HTML, on the public address alone', {
    tags: ['@FR-07'],
  }, async () => {
    const publicUrl = 'https://articles.moonowl.example'
    const { forgot, taken } = await world(() => true, { config: { publicUrl } })
    await forgot()
    const [mail] = taken
    const link = `${publicUrl}/reset-password?token=${tokenIn(mail)}`
    expect(mail?.subject).toBe('Choose a new password for Contūn Articles')
    expect(mail?.text.split('\n\n')).toEqual([
      'Choose a new password',
      'Hello,',
      'You (or someone else) asked to reset your password for Contūn Articles. Use this link within 30 minutes:',
      link,
      'Open the link on a computer: Contūn Articles needs a window at least 1280 pixels wide.',
      'If you didn’t ask for this, you can ignore this mail. Your password stays the same.',
      'Powered by Moon & Owl. Questions? Write to support@contun.example.',
    ])
    expect(mail?.html).toMatch(/<a style="[^"]+" href="([^"]+)">Choose a new password<\/a>/)
    expect(/href="([^"]+)"/.exec(mail?.html ?? '')?.[1]).toBe(link)
    expect(shownWords(mail?.html)).toEqual([
      'Contūn Articles',
      'Choose a new password',
      'Hello,',
      'You (or someone else) asked to reset your password for Contūn Articles. Use this link within 30 minutes:',
      'Choose a new password',
      `If the button does nothing, copy this address:${link}`,
      'Open the link on a computer: Contūn Articles needs a window at least 1280 pixels wide.',
      'If you didn’t ask for this, you can ignore this mail. Your password stays the same.',
      'Powered by Moon &amp; Owl. Questions? Write to support@contun.example.',
    ])
  })

  it('an invitation contains the sender, the validity and the clients', async () => {
    const { as, person, user, client, reset, taken, settled, clock } = await world(() => true)
    const admin = await user({ role: 'admin', name: 'Rowan <Ashdown>' })
    await client({ name: 'Harbour', users: [person] })
    await client({ name: 'Larkspur', users: [person] })
    const invite = async () => {
      const { status } = await as(admin).post(`/v1/users/${person.id}/invitation`, {})
      await settled()
      return status
    }
    expect(await invite()).toBe(204)
    const [mail] = taken
    const link = `http://localhost:3000/welcome?token=${tokenIn(mail)}`
    expect([mail?.to, mail?.subject]).toEqual([
      person.email,
      'Rowan <Ashdown> invites you to Contūn Articles',
    ])
    expect(mail?.text.split('\n\n')).toEqual([
      'You are invited to write',
      'Rowan <Ashdown> of Moon & Owl created an account for you. Choose a password by 9 March 2026, 09:00:',
      link,
      `After that, log in with ${person.email}. You will see the articles of Harbour and Larkspur.`,
      'Open the link on a computer: Contūn Articles needs a window at least 1280 pixels wide.',
      'If you weren’t expecting this, you can ignore this mail.',
      'Powered by Moon & Owl. Questions? Write to support@contun.example.',
    ])
    expect(mail?.html).toContain('Rowan &lt;Ashdown&gt; of Moon &amp; Owl created')
    expect(mail?.html).toMatch(/<a style="[^"]+" href="[^"]+">Choose a password<\/a>/)

    expect(await invite()).toBe(204)
    clock.advance(6 * DAY)
    expect([await reset(tokenIn(mail)), await reset(tokenIn(taken[1]))]).toEqual([401, 204])
  })

  it('an expired invitation is not sent, and one without its sender names the agency', async () => {
    let isOpen = false
    const { as, person, user, taken, db, wait, waiting } = await world(() => isOpen)
    const admin = await user({ role: 'admin' })
    const invite = () => as(admin).post(`/v1/users/${person.id}/invitation`, {})
    await invite()
    const [row] = await waiting()
    expect(Date.parse(row?.expires_at ?? '') - Date.parse(row?.created_at ?? '')).toBe(7 * DAY)
    await db
      .updateTable('mail_outbox')
      .set({ expires_at: row?.created_at ?? '' })
      .execute()
    await wait(MINUTE)
    expect([await waiting(), taken]).toEqual([[], []])
    await invite()
    await db.deleteFrom('users').where('id', '=', admin.id).execute()
    isOpen = true
    await wait(MINUTE)
    await expect.poll(() => taken[0]?.subject).toBe('Moon & Owl invites you to Contūn Articles')
    expect(taken[0]?.text).toContain('\n\nMoon & Owl created an account for you. ')
  })

  it('everything in the mail itself: the logo too, and nothing that would be fetched', {
    tags: ['@Q24'],
  }, async () => {
    const { as, person, user, forgot, taken, settled } = await world(() => true)
    const admin = await user({ role: 'admin' })
    await forgot()
    await as(admin).patch(`/v1/users/${person.id}`, { password: 'a pebble in the brook' })
    await as(admin).patch(`/v1/users/${person.id}`, { email: 'imogen@new.example' })
    await settled()
    expect(taken).toHaveLength(3)
    for (const { html, attachments = [] } of taken) {
      const [logo] = attachments
      expect(html.match(/ src="[^"]*"/g)).toEqual([` src="cid:${logo?.cid}"`])
      expect(html).not.toMatch(
        /<(script|link|iframe|object|base)|url\(|@import|srcset|background=/i,
      )
      expect(logo?.content.subarray(1, 4).toString()).toBe('PNG')
    }
  })

  it('the configured names, and no others', async () => {
    const config = { productName: 'Inkwell <1>', agencyName: 'Ash & Rowan' }
    const { as, person, user, forgot, taken, settled } = await world(() => true, { config })
    const admin = await user({ role: 'admin' })
    await forgot()
    await as(admin).post(`/v1/users/${person.id}/invitation`, {})
    // A link that the next change ends is not sent.
    await settled()
    await as(admin).patch(`/v1/users/${person.id}`, { password: 'a pebble in the brook' })
    await as(admin).patch(`/v1/users/${person.id}`, { email: 'imogen@new.example' })
    await settled()
    expect(taken).toHaveLength(4)
    for (const { subject, text, html } of taken) {
      expect([subject, text, html].join()).not.toMatch(/Contūn|Moon (&|&amp;) Owl/)
      expect(subject).toContain('Inkwell <1>')
      expect(text).toContain('Powered by Ash & Rowan.')
      expect(shownWords(html)[0]).toBe('Inkwell &lt;1&gt;')
    }
  })

  it('no support address where there is none', async () => {
    const { forgot, taken } = await world(() => true, { config: { supportEmail: '' } })
    await forgot()
    expect(taken[0]?.text.split('\n\n').at(-1)).toBe('Powered by Moon & Owl.')
    expect(shownWords(taken[0]?.html).at(-1)).toBe('Powered by Moon &amp; Owl.')
  })

  it('nothing of what a stranger wrote, whether the address was proved or not', {
    tags: ['@Q24'],
  }, async () => {
    const { as, forgot, reset, taken, settled, user } = await world(() => true)
    const name = 'You won, see https://prize.example/claim'
    const stranger = { name, email: 'victim@reeds.example', password: 'a pebble in the brook' }
    const { user: account } = await (await as(null).post('/v1/auth/register', stranger)).json()
    await forgot(stranger.email)
    expect(await reset(tokenIn(taken[0]))).toBe(204)
    await forgot(stranger.email)
    const admin = await user({ role: 'admin' })
    await as(admin).patch(`/v1/users/${account.id}`, { email: 'other@reeds.example' })
    await settled()
    expect(taken.map(({ to }) => to)).toEqual(Array(4).fill(stranger.email))
    for (const { subject, text, html } of taken) {
      for (const part of [subject, text, html]) expect(part).not.toMatch(/prize|You won/)
      const links = `${text} ${html}`.match(/https?:[^\s"<]+/g) ?? []
      expect(links.every((link) => link.startsWith('http://localhost:3000'))).toBe(true)
    }
  })

  it('a changed password notifies its owner, whichever user changed it', async () => {
    const { as, person, user, taken, forgot, reset, settled } = await world(() => true)
    const admin = await user({ role: 'admin' })
    const patch = (by: typeof person) =>
      as(by).patch(`/v1/users/${person.id}`, { password: 'a pebble in the brook' })
    expect([(await patch(person)).status, (await patch(admin)).status]).toEqual([200, 200])
    await settled()
    await forgot()
    expect(await reset(tokenIn(taken.at(-1)))).toBe(204)
    const news = taken.filter(({ subject }) => subject.startsWith('The password of'))
    expect(news.map(({ to }) => to)).toEqual(Array(3).fill(person.email))
    expect(news[0]?.text).toContain('http://localhost:3000/forgot-password')
  })

  it('a changed address notifies the old one, and nothing is sent when nothing changed', async () => {
    const { as, person, user, taken, settled } = await world(() => true)
    const admin = await user({ role: 'admin' })
    const patch = (body: object) => as(admin).patch(`/v1/users/${person.id}`, body)
    await patch({ email: 'imogen@new.example' })
    await patch({ email: 'imogen@new.example', name: 'Imogen H.' })
    await settled()
    expect(taken.map(({ to, subject }) => [to, subject])).toEqual([
      [person.email, 'The e-mail address of your Contūn Articles account was changed'],
    ])
    expect(taken[0]?.text).not.toContain('new.example')
  })

  it('a refused change sends no mail', async () => {
    const { as, person, user, taken, waiting, settled } = await world(() => true)
    const admin = await user({ role: 'admin' })
    const answer = await as(admin).patch(`/v1/users/${person.id}`, { email: admin.email })
    await settled()
    expect([answer.status, taken, await waiting()]).toEqual([400, [], []])
  })
})
