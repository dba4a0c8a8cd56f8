/** One line of what the doctor found. */
export type Finding = { name: string; isWell: boolean; says: string }
