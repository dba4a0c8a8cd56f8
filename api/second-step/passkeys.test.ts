import { expect, it } from 'vitest'
import type {
  PasskeyCreation,
  RecoveryCodes,
  SecondStepAsked,
} from '../../domain/wire/second-step.ts'
import { softwarePasskey } from '../testing/software-passkey.ts'
import { TEST_PASSWORD } from '../testing/test-app.ts'
import { type Refusal, twoStepAgency } from '../testing/two-step-agency.ts'

const ORIGIN = 'http://localhost:3000'

/** An agency whose admin adds passkeys on one laptop. */
async function agency() {
  const base = await twoStepAgency()
  const { browser, post, own, logIn } = base
  const laptop = browser()
  const token = await logIn(laptop)

  async function begin() {
    const begun = await post(laptop, own('/passkeys/options'), { password: TEST_PASSWORD }, token)
    const { ticket, options }: PasskeyCreation = await begun.json()
    return { ticket, options, challenge: String(options.challenge) }
  }
  const add = (ticket: string, response: object, name = 'Laptop') =>
    post(laptop, own('/passkeys'), { ticket, name, response }, token)
  async function addPasskey(name = 'Laptop') {
    const passkey = softwarePasskey(name)
    const { ticket, challenge } = await begin()
    const answer = await add(ticket, passkey.create({ challenge, origin: ORIGIN }), name)
    const { recoveryCodes }: RecoveryCodes = await answer.json()
    return { passkey, recoveryCodes }
  }
  /** Enters the second step on a new device. */
  async function enter(passkey: ReturnType<typeof softwarePasskey>, prompt: object = {}) {
    const phone = browser()
    const { ticket, passkey: options } = await base.asked(phone)
    const challenge = String(options?.challenge)
    const response = passkey.use({ challenge, origin: ORIGIN, ...prompt })
    const send = () => post(phone, '/v1/auth/second-step', { ticket, passkey: response })
    const answer = await send()
    return { status: answer.status, send }
  }
  return { ...base, laptop, token, begin, add, addPasskey, enter }
}

it('opens a session on a new device by a passkey, and its response works once', async () => {
  const { addPasskey, enter, as, admin, own } = await agency()
  const { passkey, recoveryCodes } = await addPasskey()
  expect(recoveryCodes).toHaveLength(10)
  const { status, send } = await enter(passkey)
  expect(status).toBe(200)
  expect((await send()).status).toBe(403)
  expect(await (await as(admin).get(own())).json()).toMatchObject({
    appAddedAt: null,
    passkeys: [{ id: passkey.id, name: 'Laptop', usedAt: '2026-03-02T09:00:00.000Z' }],
    recoveryCodesLeft: 10,
  })
})

it('refuses another origin, site or challenge, and a person who was not verified', async () => {
  const { addPasskey, enter } = await agency()
  const { passkey } = await addPasskey()
  for (const prompt of [
    { origin: 'https://articles.evil.example', site: 'localhost' },
    { site: 'evil.example' },
    { challenge: 'another' },
    { isVerified: false },
  ])
    expect((await enter(passkey, prompt)).status).toBe(403)
  expect((await enter(softwarePasskey('of another person'))).status).toBe(403)
  expect((await enter(passkey)).status).toBe(200)
})

it('refuses a counter that went back, which a copied passkey has, and logs it', async () => {
  const { addPasskey, enter, logLines } = await agency()
  const { passkey } = await addPasskey()
  expect((await enter(passkey)).status).toBe(200)
  expect((await enter(passkey)).status).toBe(200)
  passkey.state.counter = 0
  expect((await enter(passkey)).status).toBe(403)
  expect(logLines.filter(({ message }) => message === 'Passkey refused')).toMatchObject([
    { level: 'warn', fields: { fault: expect.stringContaining('counter') } },
  ])
})

it('adds no passkey of another site, without verification, or twice', async () => {
  const { begin, add, addPasskey, passwordStep, browser } = await agency()
  const passkey = softwarePasskey('Phone')
  for (const prompt of [{ origin: 'https://evil.example' }, { isVerified: false }]) {
    const { ticket, challenge } = await begin()
    const answer = await add(ticket, passkey.create({ challenge, origin: ORIGIN, ...prompt }))
    const { reason }: Refusal = await answer.json()
    expect([answer.status, reason]).toEqual([403, 'wrong_code'])
  }
  expect((await passwordStep(browser())).status).toBe(200)

  await addPasskey('Phone')
  const { ticket, challenge, options } = await begin()
  expect(options.excludeCredentials).toMatchObject([{ id: passkey.id }])
  const again = await add(ticket, passkey.create({ challenge, origin: ORIGIN }))
  expect(again.status).toBe(409)
})

it('removes a lost passkey with another one, and the last one turns two-step login off', async () => {
  const { addPasskey, post, own, laptop, token, enter, passwordStep, browser } = await agency()
  const [lost, kept] = [await addPasskey('Lost'), await addPasskey('Kept')]
  expect(kept.recoveryCodes).toBeNull()
  const remove = async (what: string) => {
    const asked = await post(laptop, own('/tickets'), {}, token)
    const { ticket, passkey }: SecondStepAsked = await asked.json()
    const proof = kept.passkey.use({ challenge: String(passkey?.challenge), origin: ORIGIN })
    const answer = await post(laptop, own('/removal'), { ticket, what, passkey: proof }, token)
    return answer.status
  }
  expect(await remove(lost.passkey.id)).toBe(204)
  expect((await enter(lost.passkey)).status).toBe(403)
  expect((await enter(kept.passkey)).status).toBe(200)
  expect(await remove('unknown')).toBe(404)
  expect(await remove(kept.passkey.id)).toBe(204)
  expect((await passwordStep(browser())).status).toBe(200)
})
