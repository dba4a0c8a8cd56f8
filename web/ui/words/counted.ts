import { figure } from './figure.ts'

/** '1 article', '1,200 articles' */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : several}`
