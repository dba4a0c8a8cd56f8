import type { DemoLogin } from './seed.ts'

/**
 * Aligned columns under one line of heads, the password last in the line of its login. Whoever sees a
 * second client has it on the next line, so that the table fits a terminal.
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
