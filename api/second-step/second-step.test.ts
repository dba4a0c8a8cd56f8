import { describe, expect, it } from 'vitest'
import type { AppSecret, RecoveryCodes, SecondStepAsked } from '../../domain/wire/second-step.ts'
import type { Session } from '../../domain/wire/users.ts'
import { TEST_PASSWORD, type TestUser } from '../testing/test-app.ts'
import { twoStepAgency as agency, type Refusal } from '../testing/two-step-agency.ts'
import { noteDuty } from './duty.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const statusAndReason = async (answer: Response) => {
  const { reason }: Refusal = await answer.json()
  return [answer.status, reason]
}

describe('login of an account with an authenticator app', () => {
  it('gives no token for the password, and a session for a code', async () => {
    const { addApp, browser, passwordStep, enter, codeAt, db, admin } = await agency()
    const { secret } = await addApp()
    const sessions = () => db.selectFrom('sessions').select('id').execute()
    const before = await sessions()

    const phone = browser()
    const refused = await passwordStep(phone)
    const { message, reason, secondStep, ...rest }: Refusal = await refused.json()
    expect([refused.status, reason]).toEqual([403, 'second_step'])
    expect(message).toBe(
      'This account has two-step login. Reload the page, or update your app, to enter the second step.',
    )
    expect(JSON.stringify(rest)).not.toContain('token')
    expect(secondStep).toMatchObject({ app: true, passkey: null })
    expect(await sessions()).toEqual(before)
    expect(phone.cookies.size).toBe(0)

    const entered = await enter(phone, secondStep?.ticket ?? '', codeAt(secret))
    expect(entered.status).toBe(200)
    const session: Session = await entered.json()
    expect(session.user.email).toBe(admin.email)
  })

  it('asks a device again after 30 days, and other devices at once', async () => {
    const { addApp, browser, passwordStep, ticket, enter, codeAt, clock } = await agency()
    const { secret } = await addApp()
    const laptop = browser()
    await enter(laptop, await ticket(laptop), codeAt(secret))
    clock.advance(30 * DAY - MINUTE)
    expect((await passwordStep(laptop)).status).toBe(200)
    expect((await passwordStep(browser())).status).toBe(403)
    clock.advance(2 * MINUTE)
    expect((await passwordStep(laptop)).status).toBe(403)
  })

  it('accepts codes one step early and late, and none beyond', async () => {
    const { addApp, browser, ticket, enter, codeAt, clock } = await agency()
    const { secret } = await addApp()
    const phone = browser()
    clock.advance(5 * MINUTE)
    const accepted = async (shift: number) => {
      clock.advance(10 * MINUTE)
      // The beginning of a step.
      clock.advance(30 * SECOND - (clock.now() % (30 * SECOND)))
      const device = browser()
      return (await enter(device, await ticket(phone), codeAt(secret, clock.now() + shift))).status
    }
    const shifts = [-31, -30, -1, 0, 29, 30, 59, 60].map((seconds) => seconds * SECOND)
    const statuses: number[] = []
    for (const shift of shifts) statuses.push(await accepted(shift))
    expect(statuses).toEqual([403, 200, 200, 200, 200, 200, 200, 403])
  })

  it('accepts a code once, also from two requests at the same time', async () => {
    const { addApp, browser, ticket, enter, codeAt } = await agency()
    const { secret } = await addApp()
    const phone = browser()
    const tickets = [await ticket(phone), await ticket(phone), await ticket(phone)]
    const code = codeAt(secret)
    const both = await Promise.all(tickets.slice(0, 2).map((each) => enter(browser(), each, code)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect(await statusAndReason(await enter(phone, tickets[2] ?? '', code))).toEqual([
      403,
      'wrong_code',
    ])
  })

  it('ends a ticket after five minutes, after five tries, and with its use', async () => {
    const { addApp, browser, ticket, enter, codeAt, clock } = await agency()
    const { secret } = await addApp()
    const phone = browser()
    const over = [403, 'ticket_over']

    const old = await ticket(phone)
    clock.advance(5 * MINUTE)
    expect(await statusAndReason(await enter(phone, old, codeAt(secret)))).toEqual(over)

    const tried = await ticket(phone)
    for (let time = 0; time < 5; time += 1)
      expect(await statusAndReason(await enter(phone, tried, '000000'))).toEqual([
        403,
        'wrong_code',
      ])
    expect(await statusAndReason(await enter(phone, tried, codeAt(secret)))).toEqual(over)

    const used = await ticket(phone)
    expect((await enter(phone, used, codeAt(secret))).status).toBe(200)
    clock.advance(MINUTE)
    expect(await statusAndReason(await enter(phone, used, codeAt(secret)))).toEqual(over)
    expect(await statusAndReason(await enter(phone, 'made up', '000000'))).toEqual(over)
  })

  it('ends with the password that it was given for', async () => {
    const { addApp, browser, ticket, enter, codeAt, as, admin } = await agency()
    const { secret } = await addApp()
    const phone = browser()
    const waiting = await ticket(phone)
    await as(admin).patch(`/v1/users/${admin.id}`, { password: 'a river of milk' })
    expect((await enter(phone, waiting, codeAt(secret))).status).toBe(403)
  })

  it('pauses after wrong codes as after wrong passwords, whatever ticket they come with', async () => {
    const { addApp, browser, ticket, enter, codeAt, clock } = await agency({ rateLimits: true })
    const { secret } = await addApp()
    const guesser = browser('198.51.100.7')
    const statuses: number[] = []
    for (let time = 0; time < 20; time += 1) {
      const each = await ticket(guesser)
      statuses.push((await enter(guesser, each, String(100_000 + time))).status)
    }
    expect(statuses).toEqual([...Array(5).fill(403), ...Array(15).fill(429)])
    // The right code waits too, and the owner in another network does not.
    expect((await enter(guesser, await ticket(guesser), codeAt(secret))).status).toBe(429)
    const owner = browser('203.0.113.9')
    expect((await enter(owner, await ticket(owner), codeAt(secret))).status).toBe(200)
    clock.advance(MINUTE)
    expect((await enter(guesser, await ticket(guesser), codeAt(secret))).status).toBe(200)
  })

  it('accepts a recovery code once, in any spelling, and reports it by mail and in the log', async () => {
    const { addApp, browser, ticket, enter, as, admin, sentMail, settled } = await agency()
    const { recoveryCodes } = await addApp()
    expect(recoveryCodes).toHaveLength(10)
    expect(recoveryCodes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    const phone = browser()
    const typed = ` ${recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ')} `
    expect((await enter(phone, await ticket(phone), typed)).status).toBe(200)
    const other = browser()
    expect((await enter(other, await ticket(other), typed)).status).toBe(403)

    await settled()
    expect(sentMail.at(-1)).toMatchObject({
      to: admin.email,
      subject:
        'The recovery codes of your Contūn Articles account have one less: it was used to log in',
    })
    const { results } = await (await as(admin).get('/v1/log?kind=users')).json()
    expect(results[0]).toMatchObject({
      action: 'user.second-step-used',
      secondStep: 'recovery-code',
    })
  })

  it('is as before for accounts without one, and after a password reset', async () => {
    const { addApp, browser, passwordStep, user, sentMail, post, settled, admin } = await agency()
    const writer = await user()
    await addApp()
    expect((await passwordStep(browser(), writer)).status).toBe(200)
    await post(browser(), '/v1/auth/forgot-password', { email: admin.email })
    await settled()
    const [, token] = /token=([\w-]+)/.exec(sentMail.at(-1)?.text ?? '') ?? []
    const password = 'a river of milk'
    await post(browser(), '/v1/auth/reset-password', { token, password })
    expect((await passwordStep(browser(), { ...admin, password })).status).toBe(403)
  })
})

it('holds across two nodes: a ticket of one opens the other, and a used code is used on both', async () => {
  const one = await agency()
  const { secret } = await one.addApp()
  const two = await agency({}, { db: one.db, deps: { clock: one.clock } }, one.admin)
  const phone = one.browser()
  const [first, second] = [await one.ticket(phone), await one.ticket(phone)]
  const code = one.codeAt(secret)
  expect((await two.enter(phone, first, code)).status).toBe(200)
  expect((await one.enter(one.browser(), second, code)).status).toBe(403)
  expect((await one.passwordStep(phone)).status).toBe(200)
})

describe('the second step of an account', () => {
  it('is added with the password and a first code, and reported', async () => {
    const { logIn, browser, post, call, own, passwordStep, clock, codeAt, sentMail, settled, db } =
      await agency()
    const laptop = browser()
    const token = await logIn(laptop)
    const wrong = await post(laptop, own('/app'), { password: 'not the one' }, token)
    expect(await statusAndReason(wrong)).toEqual([403, 'wrong_password'])

    const begun = await post(laptop, own('/app'), { password: TEST_PASSWORD }, token)
    const { secret, address }: AppSecret = await begun.json()
    expect(begun.status).toBe(201)
    expect(address).toBe(
      `otpauth://totp/Cont%C5%ABn%20Articles:mara%40moonandowl.example?secret=${secret}&issuer=Cont%C5%ABn%20Articles`,
    )
    const [stored] = await db.selectFrom('authenticator_apps').selectAll().execute()
    expect(stored?.secret).not.toContain(secret)
    // It counts from its first code on.
    expect((await passwordStep(browser())).status).toBe(200)

    const confirm = (code: string) => call(laptop, 'PUT', own('/app'), { body: { code }, token })
    expect((await confirm('000000')).status).toBe(403)
    expect((await confirm(codeAt(secret))).status).toBe(200)
    expect((await confirm(codeAt(secret))).status).toBe(409)
    expect((await post(laptop, own('/app'), { password: TEST_PASSWORD }, token)).status).toBe(409)
    expect((await passwordStep(laptop)).status).toBe(200)
    expect((await passwordStep(browser())).status).toBe(403)

    const read = await call(laptop, 'GET', own(), { token })
    const addedAt = new Date(clock.now()).toISOString()
    expect(await read.json()).toEqual({ appAddedAt: addedAt, passkeys: [], recoveryCodesLeft: 10 })
    await settled()
    expect(sentMail.map(({ subject }) => subject)).toEqual([
      'The two-step login of your Contūn Articles account was extended by a passkey or an authenticator app',
    ])
  })

  it('is removed by its owner with nothing but a code, and so are the recovery codes', async () => {
    const { addApp, browser, post, own, passwordStep, codeAt, call, admin, db } = await agency()
    const { secret, token, from } = await addApp()
    const remove = async (code: string) => {
      const asked = await post(from, own('/tickets'), undefined, token)
      const { ticket }: SecondStepAsked = await asked.json()
      return (await post(from, own('/removal'), { ticket, what: 'app', code }, token)).status
    }
    expect((await call(from, 'DELETE', own(), { token })).status).toBe(403)
    expect(await remove('000000')).toBe(403)
    expect((await passwordStep(browser())).status).toBe(403)
    expect(await remove(codeAt(secret))).toBe(204)
    expect((await passwordStep(browser(), admin)).status).toBe(200)
    expect((await post(from, own('/tickets'), undefined, token)).status).toBe(409)
    expect(await db.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
  })

  it('has ten new recovery codes, and the ones before are void', async () => {
    const { addApp, browser, ticket, enter, post, own, codeAt } = await agency()
    const { secret, recoveryCodes, token, from } = await addApp()
    const asked: SecondStepAsked = await (
      await post(from, own('/tickets'), undefined, token)
    ).json()
    const proof = { ticket: asked.ticket, code: codeAt(secret) }
    const renewed: RecoveryCodes = await (
      await post(from, own('/recovery-codes'), proof, token)
    ).json()
    expect(renewed.recoveryCodes).toHaveLength(10)
    const phone = browser()
    expect((await enter(phone, await ticket(phone), recoveryCodes[0] ?? '')).status).toBe(403)
    expect((await enter(phone, await ticket(phone), renewed.recoveryCodes?.[0] ?? '')).status).toBe(
      200,
    )
  })

  it('is not opened by a ticket of another purpose or of another account', async () => {
    const { addApp, browser, ticket, enter, post, own, codeAt, user, logIn } = await agency()
    const { secret, token, from } = await addApp()
    const phone = browser()
    const ofLogin = { ticket: await ticket(phone), what: 'app', code: codeAt(secret) }
    expect((await post(from, own('/removal'), ofLogin, token)).status).toBe(403)
    const asked: SecondStepAsked = await (
      await post(from, own('/tickets'), undefined, token)
    ).json()
    expect((await enter(phone, asked.ticket, codeAt(secret))).status).toBe(403)

    const other = await user()
    const theirs = await logIn(browser(), other)
    const code = codeAt(secret)
    const body = { ticket: asked.ticket, what: 'app', code }
    expect((await post(from, own('/removal', other), body, theirs)).status).toBe(403)
    expect((await post(from, own('/removal'), body, theirs)).status).toBe(403)
  })

  it('is removed by another admin, who names no code, with a mail and a line in the log', async () => {
    const { addApp, browser, passwordStep, user, as, own, sentMail, settled, admin } =
      await agency()
    await addApp()
    const other = await user({ role: 'admin', name: 'Ruben Adler' })
    expect((await as(other).delete(own())).status).toBe(204)
    expect((await as(other).delete(own())).status).toBe(409)
    expect((await passwordStep(browser())).status).toBe(200)
    await settled()
    expect(sentMail.at(-1)).toMatchObject({
      to: admin.email,
      subject: 'The two-step login of your Contūn Articles account was reduced or turned off',
    })
    const { results } = await (await as(other).get('/v1/log?kind=users')).json()
    expect(results[0]).toMatchObject({
      action: 'user.second-step-removed',
      by: { name: 'Ruben Adler' },
      subject: { name: 'Mara Voss' },
    })
  })

  it('is needed again on every device after ‘Log out everywhere’', async () => {
    const { addApp, passwordStep, as, admin } = await agency()
    const { from } = await addApp()
    expect((await passwordStep(from)).status).toBe(200)
    await as(admin).delete(`/v1/users/${admin.id}/sessions`)
    expect((await passwordStep(from)).status).toBe(403)
  })
})

describe('REQUIRE_SECOND_STEP=admins', () => {
  const required = { requireSecondStep: 'admins' } as const

  it('leaves seven days, then the rights of a user until the admin has a second step', async () => {
    const { passwordStep, browser, deps, db, clock, as, addApp, user, admin } =
      await agency(required)
    const writer = await user()
    await noteDuty(deps, db)
    clock.advance(DAY)
    await noteDuty(deps, db)
    const due = new Date(clock.now() + 6 * DAY).toISOString()
    const opened = async (person: TestUser) => {
      const session: Session = await (await passwordStep(browser(), person)).json()
      return [session.user.role, session.secondStepDue]
    }
    expect(await opened(admin)).toEqual(['admin', due])
    expect(await opened(writer)).toEqual(['user', undefined])
    clock.advance(6 * DAY)
    expect(await opened(admin)).toEqual(['user', due])

    const session: Session = await (await passwordStep(browser())).json()
    const authorization = `Bearer ${session.tokens.access.token}`
    expect((await as(null).get('/v1/users', { authorization })).status).toBe(403)
    const { from } = await addApp()
    const again: Session = await (await passwordStep(from)).json()
    expect([again.user.role, again.secondStepDue]).toEqual(['admin', undefined])
  })

  it('leaves seven days to new admins, and begins again when it was off', async () => {
    const { deps, db, clock, user, passwordStep, browser } = await agency(required)
    await noteDuty(deps, db)
    clock.advance(30 * DAY)
    const late = await user({ role: 'admin' })
    const roleOf = async () => {
      const session: Session = await (await passwordStep(browser(), late)).json()
      return session.user.role
    }
    expect(await roleOf()).toBe('admin')
    clock.advance(7 * DAY)
    expect(await roleOf()).toBe('user')
    await noteDuty({ ...deps, config: { ...deps.config, requireSecondStep: 'off' } }, db)
    await noteDuty(deps, db)
    expect(await roleOf()).toBe('admin')
  })
})
