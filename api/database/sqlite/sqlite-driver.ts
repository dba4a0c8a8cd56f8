import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDialect,
} from 'kysely'
import type Sqlite from './better-sqlite3.ts'
import { GroupCommit, type Member } from './group-commit.ts'

/**
 * Limits of the statement cache: number of statements, and length. A filter by many clients has a different text each
 * time.
 */
const STATEMENTS_KEPT = 300
const KEPT_LENGTH_MAX = 4_000

export type SqliteConnections = {
  writer: Sqlite.Database
  /**
   * Reads committed data only, while the writer gathers transactions. Null where there is one connection: then each
   * transaction is committed on its own, and readers wait for it.
   */
  reader: Sqlite.Database | null
}

/** Kysely over better-sqlite3, with cached statements and group commits. */
export class GroupingDialect extends SqliteDialect {
  readonly #connections: SqliteConnections

  constructor(connections: SqliteConnections) {
    super({ database: connections.writer })
    this.#connections = connections
  }

  override createDriver(): Driver {
    return new GroupingDriver(this.#connections)
  }
}

class GroupingDriver implements Driver {
  readonly #connections: SqliteConnections
  readonly #writes: GroupCommit
  readonly #atWriter: Statements
  readonly #atReader: Snapshots | null

  constructor(connections: SqliteConnections) {
    const { writer, reader } = connections
    this.#connections = connections
    const atReader = reader && new Snapshots(reader)
    this.#writes = new GroupCommit(writer, {
      gathers: reader !== null,
      ...(atReader && { beforeCommit: atReader.end }),
    })
    this.#atWriter = new Statements(writer)
    this.#atReader = atReader
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<GroupingConnection> {
    return new GroupingConnection((query) => this.#alone(query))
  }

  async beginTransaction(connection: GroupingConnection): Promise<void> {
    const member = await this.#writes.begin()
    connection.member = member
    connection.run = (query) => member.run(() => this.#atWriter.run(query))
  }

  async commitTransaction(connection: GroupingConnection): Promise<void> {
    await connection.member?.commit()
  }

  async rollbackTransaction(connection: GroupingConnection): Promise<void> {
    await connection.member?.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#writes.settled()
    const { writer, reader } = this.#connections
    this.#atReader?.end()
    reader?.close()
    try {
      // Leaves a single file that contains everything, also where another process has it open.
      if (!writer.readonly) writer.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      writer.close()
    }
  }

  /** A statement outside of a transaction; a write is a transaction of its own. */
  #alone(query: CompiledQuery): QueryResult<never> | Promise<QueryResult<never>> {
    if (this.#atReader === null) return this.#writes.alone(() => this.#atWriter.run(query))
    return this.#atReader.isRead(query) ? this.#atReader.run(query) : this.#write(query)
  }

  async #write(query: CompiledQuery): Promise<QueryResult<never>> {
    const member = await this.#writes.begin()
    try {
      const result = member.run(() => this.#atWriter.run(query))
      await member.commit()
      return result
    } catch (fault) {
      await member.rollback()
      throw fault
    }
  }
}

type Run = (query: CompiledQuery) => QueryResult<never> | Promise<QueryResult<never>>

class GroupingConnection implements DatabaseConnection {
  member: Member | undefined
  run: Run

  constructor(run: Run) {
    this.run = run
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.run(query)
  }
}

type Kept = {
  statement: Sqlite.Statement<unknown[], unknown>
  isRead: boolean
  /**
   * Names of the columns, where the text of the statement lists them: rows are then read as arrays. Null for other
   * statements.
   */
  columns: string[] | null
}

/** Cache of the prepared statements of one connection, by text; preparing one costs more than running it. */
class Statements {
  readonly #sqlite: Sqlite.Database
  readonly #kept = new Map<string, Kept>()

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
  }

  isRead({ sql }: CompiledQuery): boolean {
    return this.#get(sql).isRead
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<never> {
    const { statement, columns } = this.#get(sql)
    if (statement.reader) {
      const rows = statement.all(parameters)
      if (columns === null) return { rows: rows as never[] }
      return { rows: rows.map((values) => rowOf(columns, values as unknown[])) as never[] }
    }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
  }

  #get(text: string): Kept {
    const kept = this.#kept.get(text)
    if (kept) return kept
    const fresh = keptOf(this.#sqlite.prepare<unknown[]>(text))
    if (text.length > KEPT_LENGTH_MAX) return fresh
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= STATEMENTS_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(text, fresh)
    return fresh
  }
}

function keptOf(statement: Sqlite.Statement<unknown[], unknown>): Kept {
  const saysColumns = statement.reader && !statement.source.includes('*')
  return {
    statement: saysColumns ? statement.raw() : statement,
    isRead: statement.readonly,
    columns: saysColumns ? statement.columns().map(({ name }) => name) : null,
  }
}

/** Objects built here share one shape and cost half of those that the binding creates, which are in dictionary mode. */
function rowOf(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  columns.forEach((column, at) => {
    row[column] = values[at]
  })
  return row
}

/**
 * Runs the reads of one turn of the event loop in one read transaction: beginning and ending one for each takes as long
 * as reading a session. A commit ends it, so that later reads see what was committed.
 */
class Snapshots {
  readonly #sqlite: Sqlite.Database
  readonly #statements: Statements
  readonly #begin: Sqlite.Statement
  readonly end: () => void

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    this.#statements = new Statements(sqlite)
    this.#begin = sqlite.prepare('begin')
    this.end = snapshotEnder(sqlite)
  }

  isRead(query: CompiledQuery): boolean {
    return this.#statements.isRead(query)
  }

  run(query: CompiledQuery): QueryResult<never> {
    if (!this.#sqlite.inTransaction) {
      this.#begin.run()
      setImmediate(this.end)
    }
    return this.#statements.run(query)
  }
}

/**
 * Returns a function that ends the snapshot of a read-only connection. It never throws: after a read of a damaged page
 * SQLite reports that fault for the commit too; the read itself has thrown it already, and nothing can be lost.
 */
export function snapshotEnder(reader: Sqlite.Database): () => void {
  const ways = [reader.prepare('commit'), reader.prepare('rollback')]
  return () => {
    for (const way of ways) {
      if (!reader.inTransaction) return
      try {
        way.run()
      } catch {}
    }
  }
}
