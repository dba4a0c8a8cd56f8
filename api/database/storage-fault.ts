/** `full`: there is no room. `passing`: another try may do. `damaged`: only a backup heals it. */
export type StorageFault = 'full' | 'passing' | 'damaged'

/**
 * The beginnings of the codes of both engines: those of SQLite, the error codes of PostgreSQL, and
 * those that its driver here gives.
 */
const CODES: Record<StorageFault, readonly string[]> = {
  full: ['SQLITE_FULL', '53100'],
  damaged: ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'XX001', 'XX002'],
  passing: [
    'SQLITE_BUSY',
    'SQLITE_LOCKED',
    'SQLITE_IOERR',
    'SQLITE_READONLY',
    'SQLITE_CANTOPEN',
    'POSTGRES_UNREACHABLE',
    'POSTGRES_BUSY',
    // Connection lost, too many of them, conflict with another transaction, stopped by an operator or by a limit.
    '08',
    '53',
    '40',
    '57',
    // Written to a server that only reads, as after a failover; a transaction that was idle for too long.
    '25006',
    '25P0',
    // A lock that was not given in time.
    '55P03',
  ],
}

/** The storage fault behind an error; undefined when the error has another cause. */
export function storageFaultOf(fault: unknown): StorageFault | undefined {
  if (!(fault instanceof Error && 'code' in fault && typeof fault.code === 'string')) return
  const { code } = fault
  const kinds = Object.keys(CODES) as StorageFault[]
  return kinds.find((kind) => CODES[kind].some((start) => code.startsWith(start)))
}
