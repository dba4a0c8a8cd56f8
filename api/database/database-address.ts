/** Location of the data: a file that one process has exclusively, or a server that any number of nodes share. */
export type DatabaseAddress =
  | { engine: 'sqlite'; file: string }
  | {
      engine: 'postgres'
      url: string
      /** Maximum number of connections of one node. */
      connections: number
    }
