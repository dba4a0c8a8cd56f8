import type { Config } from '../config.ts'

/** One finding of the doctor. */
export type Finding = { name: string; isWell: boolean; says: string }

/** The settings that the content of a database is held against. The pepper is null when there is none. */
export type Expected = { pepper: Uint8Array | null; config: Pick<Config, 'requireSecondStep'> }
