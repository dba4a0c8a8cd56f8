import type { Config } from '../config.ts'
import type { Finding } from '../operations/findings.ts'

/** Admins, and those of them without a second step; the same SQL for both engines. */
export const ADMINS_WITHOUT_SECOND_STEP = `select count(*) as admins, count(case when
  not exists (select 1 from passkeys where passkeys.user_id = users.id) and
  not exists (select 1 from authenticator_apps as apps
    where apps.user_id = users.id and apps.confirmed_at is not null)
  then 1 end) as without from users where role = 'admin'`

export type AdminCounts = { admins: number | string; without: number | string }

export function secondStepFinding(
  { requireSecondStep }: Pick<Config, 'requireSecondStep'>,
  { admins, without }: AdminCounts,
): Finding {
  const isRequired = requireSecondStep === 'admins'
  const duty = isRequired ? 'required' : 'not required'
  return {
    name: 'two-step login',
    isWell: !isRequired || Number(without) === 0,
    says: `${Number(admins) - Number(without)} of ${admins} admins have it; ${duty}`,
  }
}
