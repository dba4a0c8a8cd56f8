import { createHash } from 'node:crypto'
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
} from '../throttle/limits.ts'
import { networkOf } from '../throttle/request-limits.ts'
import { networkLimits } from '../throttle/site-limits.ts'
import { knownDevice } from './device-cookie.ts'

const FAILURES: Limit = {
  name: 'login-failures',
  most: Number.POSITIVE_INFINITY,
  windowMs: FAILURES_WINDOW_MS,
}
const PAUSE = 'login-pause'

type Hold = readonly [limit: Limit, key: string]

/**
 * Runs the attempt unless too many failed before it. A known device has its own count, so that strangers cannot lock
 * out the owner of an account; the counters never contain an address. An attempt counts as failed until it has
 * succeeded, so that concurrent attempts get no further than sequential ones.
 */
export function guardLogin<T>(
  deps: Deps,
  c: AppContext,
  email: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const network = networkOf(deps, c)
  const device = knownDevice(deps, c, email)
  return deps.throttle.atOnce(HASHES_AT_ONCE, network, () =>
    device === null
      ? asStranger(deps, network, accountKey(email), attempt)
      : holding(deps, [[LOGIN_DEVICE, device]], attempt),
  )
}

/** Counters use this key and never contain an address. */
export const accountKey = (email: string) =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22)

async function asStranger<T>(
  deps: Deps,
  network: string,
  account: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const pair = `${account} ${network}`
  const holds: Hold[] = [
    ...networkLimits(LOGIN_NETWORK, network),
    [loginAccountLimit(deps.config), account],
  ]
  const result = await holding(deps, holds, () => pausing(deps, pair, attempt))
  await deps.throttle.forget(FAILURES, pair)
  await deps.throttle.forget({ name: PAUSE }, pair)
  return result
}

/**
 * After the free failures each one starts a pause, twice as long as the previous one. It starts with the attempt, so
 * that concurrent attempts are refused during the comparison, and again with the failure.
 */
async function pausing<T>({ throttle }: Deps, pair: string, attempt: () => Promise<T>): Promise<T> {
  const failures = (await throttle.tryTake(FAILURES, pair))?.count ?? 0
  try {
    if (failures >= FREE_FAILURES) await throttle.pause(PAUSE, pair, pauseMs(failures))
    return await attempt()
  } catch (fault) {
    if (!isWrongPassword(fault)) await throttle.giveBack(FAILURES, pair)
    else if (failures >= FREE_FAILURES) await throttle.pauseAnew(PAUSE, pair, pauseMs(failures))
    throw fault
  }
}

const pauseMs = (failures: number) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FREE_FAILURES))

/** Counts the attempt against each limit, and undoes that unless the password was wrong. */
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
    if (!isWrongPassword(fault)) await giveBack()
    throw fault
  }
}

const isWrongPassword = (fault: unknown) => fault instanceof ApiError && fault.status === 401
