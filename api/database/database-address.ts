/** Where the data is: a file that one process has for itself, or a server that any number of nodes share. */
export type DatabaseAddress =
  | { engine: 'sqlite'; file: string }
  | {
      engine: 'postgres'
      url: string
      /** The most that one node opens. */
      connections: number
    }
