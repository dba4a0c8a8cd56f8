/**
 * What the usual steps of a page may cost in IndexedDB and on the network: transactions that write and the rows that they
 * write (a deleted one counts too), transactions that only read, results of read requests (a cursor has one for each step),
 * the rows in these results, and requests to the server. `database-budget.test.ts` defines the steps, counts them, and
 * fails for every other count, so that a review sees here what a change adds to a usual step.
 */
export type Cost = [
  writing: number,
  written: number,
  reading: number,
  results: number,
  rows: number,
  requests: number,
]

// biome-ignore format: a table reads by its columns.
export const DATABASE_BUDGET: Record<string, Cost> = {
  'a new device, 200 articles':                   [  28,  612,   50, 1483, 1232,    7],
  'open an article for the first time':           [   1,    2,    2,   16,    7,    0],
  'open it again':                                [   0,    0,    2,    8,    6,    0],
  'fetch an article':                             [   3,    2,    6,   12,    7,    1],
  'the first key after a save':                   [   2,    5,    1,    5,    3,    0],
  'a key':                                        [   1,    2,    0,    3,    3,    0],
  'a save':                                       [   2,    5,    7,   21,   18,    1],
  'a completion':                                 [   4,    5,   11,   25,   15,    3],
  'a drain of 200 articles':                      [  12, 1005,   21, 1251, 3924,    5],
  'view of an article':                           [   0,    0,    1,    9,    6,    0],
  'home of 200 articles':                         [   0,    0,    1,  407,  600,    0],
  'save status of 200 unsent articles':           [   0,    0,    1,    8,  403,    0],
}
