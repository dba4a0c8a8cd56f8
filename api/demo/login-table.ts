import type { DemoLogin } from './seed.ts'

/**
 * Aligned columns under one header line, the password last in the line of its login. A user of two clients has the
 * second on the next line, so that the table fits a terminal.
 */
export function loginTable(logins: readonly DemoLogin[]): string {
  const rows = [['Name', 'Sees', 'E-mail', 'Password'], ...logins.flatMap(toRows)]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${aligned(row, widths)}\n`).join('')
}

function toRows({ name, role, clients, email, password }: DemoLogin): string[][] {
  const [first = '', ...others] = role === 'admin' ? ['everything (admin)'] : clients
  return [[name, first, email, password], ...others.map((client) => ['', client])]
}

const aligned = (row: string[], widths: number[]): string =>
  row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('   ')
    .trimEnd()
