import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import {
  FAILURES_WINDOW_MS,
  FIRST_PAUSE_MS,
  FREE_FAILURES,
  HASHES_AT_ONCE,
  type Limit,
  LOGIN_DEVICE,
  LOGIN_NETWORK,
  LONGEST_PAUSE_MS,
  loginAccountLimit,
  SECOND_STEP_ACCOUNT,
  SECOND_STEP_DEVICE,
  SECOND_STEP_NETWORK,
} from '../throttle/limits.ts'
import { networkOf } from '../throttle/request-limits.ts'
import { networkLimits } from '../throttle/site-limits.ts'
import { knownDevice } from './device-cookie.ts'

/** What is counted apart: failures and pauses of an account and a network, and the limits of each of both. */
export type Attempts = {
  failures: Limit
  pause: string
  network: Limit
  device: Limit
  account: Limit
}

const counted = (name: string) => ({
  failures: {
    name: `${name}-failures`,
    most: Number.POSITIVE_INFINITY,
    windowMs: FAILURES_WINDOW_MS,
  },
  pause: `${name}-pause`,
})

export const passwordAttempts = (config: Config): Attempts => ({
  ...counted('login'),
  network: LOGIN_NETWORK,
  device: LOGIN_DEVICE,
  account: loginAccountLimit(config),
})

export const SECOND_STEP_ATTEMPTS: Attempts = {
  ...counted('second-step'),
  network: SECOND_STEP_NETWORK,
  device: SECOND_STEP_DEVICE,
  account: SECOND_STEP_ACCOUNT,
}

/** Reason of the refusal of a wrong second step. */
export const WRONG_CODE = 'wrong_code'

type Hold = readonly [limit: Limit, key: string]

/**
 * Runs the attempt unless too many failed before it. A known device has its own count, so that strangers cannot lock
 * out the owner of an account; the counters never contain an address. An attempt counts as failed until it has
 * succeeded, so that concurrent attempts get no further than sequential ones.
 */
export function guardLogin<T>(
  deps: Deps,
  c: AppContext,
  { email, attempts }: { email: string; attempts: Attempts },
  attempt: () => Promise<T>,
): Promise<T> {
  const network = networkOf(deps, c)
  const device = knownDevice(deps, c, email)
  return deps.throttle.atOnce(HASHES_AT_ONCE, network, () =>
    device === null
      ? asStranger(deps, attempts, { network, account: accountKey(email) }, attempt)
      : holding(deps, [[attempts.device, device]], attempt),
  )
}

/** Counters use this key and never contain an address. */
export const accountKey = (email: string) =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22)

async function asStranger<T>(
  deps: Deps,
  attempts: Attempts,
  { network, account }: { network: string; account: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const pair = `${account} ${network}`
  const holds: Hold[] = [...networkLimits(attempts.network, network), [attempts.account, account]]
  const result = await holding(deps, holds, () => pausing(deps, attempts, pair, attempt))
  await deps.throttle.forget(attempts.failures, pair)
  await deps.throttle.forget({ name: attempts.pause }, pair)
  return result
}

/**
 * After the free failures each one starts a pause, twice as long as the previous one. It starts with the attempt, so
 * that concurrent attempts are refused during the comparison, and again with the failure.
 */
async function pausing<T>(
  { throttle }: Deps,
  { failures, pause }: Attempts,
  pair: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const count = (await throttle.tryTake(failures, pair))?.count ?? 0
  try {
    if (count >= FREE_FAILURES) await throttle.pause(pause, pair, pauseMs(count))
    return await attempt()
  } catch (fault) {
    if (!isFailure(fault)) await throttle.giveBack(failures, pair)
    else if (count >= FREE_FAILURES) await throttle.pauseAnew(pause, pair, pauseMs(count))
    throw fault
  }
}

const pauseMs = (failures: number) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FREE_FAILURES))

/** Counts the attempt against each limit, and undoes that unless it failed. */
async function holding<T>(
  { throttle }: Deps,
  holds: readonly Hold[],
  attempt: () => Promise<T>,
): Promise<T> {
  const held: Hold[] = []
  const giveBack = async () => {
    for (const hold of held) await throttle.giveBack(...hold)
  }
  try {
    for (const hold of holds) {
      await throttle.take(...hold)
      held.push(hold)
    }
    const result = await attempt()
    await giveBack()
    return result
  } catch (fault) {
    if (!isFailure(fault)) await giveBack()
    throw fault
  }
}

/** A wrong password or a wrong second step. */
const isFailure = (fault: unknown) =>
  fault instanceof ApiError && (fault.status === 401 || fault.refusal.reason === WRONG_CODE)
