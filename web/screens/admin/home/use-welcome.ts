import { useSignedIn } from '../../../app/app-context.tsx'

/** The greeting of the signed-in admin, by the first name. */
export const useWelcome = (): string =>
  `Welcome, ${useSignedIn().user.fullName.trim().split(/\s+/u)[0]}`
