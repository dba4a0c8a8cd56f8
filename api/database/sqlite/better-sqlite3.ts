import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

/**
 * The package of the SQLite driver that this version of Node runs: 13, whose binaries need Node-API 10 (Node 22.14, 24
 * and newer), or 12, which is compiled for one version of Node and aborts at random on Node 24.19 and newer.
 */
export const SQLITE_PACKAGE =
  Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'

type Driver = {
  new (file: string | Buffer, options?: BetterSqlite3.Options): BetterSqlite3.Database
  SqliteError: typeof BetterSqlite3.SqliteError
}

let driver: Driver | undefined
const loaded = (): Driver => {
  driver ??= load()
  return driver
}

/** Loads the driver when it is used first: a server over PostgreSQL needs none. */
class LoadedSqlite {
  constructor(...words: ConstructorParameters<Driver>) {
    // biome-ignore lint/correctness/noConstructorReturn: the driver's own database, of the type that is exported
    return new (loaded())(...words)
  }

  static get SqliteError(): Driver['SqliteError'] {
    return loaded().SqliteError
  }
}

const Sqlite = LoadedSqlite as Driver
declare namespace Sqlite {
  type Database = BetterSqlite3.Database
  type Statement<
    Parameters extends unknown[] | object = unknown[],
    Row = unknown,
  > = BetterSqlite3.Statement<Parameters, Row>
}
export default Sqlite

/** Opens a database too, because that loads the binary. Where it cannot be loaded, the process ends with one line. */
function load(): Driver {
  try {
    const driver: Driver = createRequire(import.meta.url)(SQLITE_PACKAGE)
    new driver(':memory:').close()
    return driver
  } catch (fault) {
    const reason = String(fault instanceof Error ? fault.message : fault).split('\n')[0]
    process.stderr.write(
      `SQLite cannot be loaded by Node ${process.versions.node} on ${process.platform} ${process.arch}: run "npm ci" again ` +
        `with this version of Node, or use Node 20.20 or 24 (${reason}).\n`,
    )
    process.exit(1)
  }
}
