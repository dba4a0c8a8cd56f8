/** `full`: the disk is full. `passing`: a retry may succeed. `damaged`: only a backup repairs it. */
export type StorageFault = 'full' | 'passing' | 'damaged'

/** Prefixes of error codes: those of SQLite, those of PostgreSQL, and those that its driver here sets. */
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
    // A write to a read-only server, as after a failover; a transaction that was idle for too long.
    '25006',
    '25P0',
    // Lock timeout.
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
