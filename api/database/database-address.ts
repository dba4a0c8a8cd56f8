/** Location of the data: a file that one process has exclusively, or a server that any number of nodes share. */
export type DatabaseAddress = { engine: 'sqlite'; file: string } | PostgresAddress

export type PostgresAddress = {
  engine: 'postgres'
  url: string
  /** Address of a replica of it that does reads; null when there is none. */
  readUrl: string | null
  /** Maximum number of connections of one node, to each of the two. */
  connections: number
}
