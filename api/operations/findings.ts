/** One finding of the doctor. */
export type Finding = { name: string; isWell: boolean; says: string }
