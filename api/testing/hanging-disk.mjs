import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded before the server (--import): as long as the pipe HANGING_PIPE exists, calls on paths below HANGING_FOLDER do
 * not return, and keep the thread that makes them, as those of a dead network disk do: opening a pipe without a writer
 * waits in the kernel.
 */

const { HANGING_FOLDER: folder, HANGING_PIPE: pipe } = process.env
const isOpen = fs.existsSync
const { open, openSync } = fs
const openLater = fs.promises.open

const doesHang = (path) => String(path).startsWith(folder) && isOpen(pipe)

const NAMES = ['access', 'mkdir', 'mkdtemp', 'open', 'readdir', 'rm', 'rmdir', 'stat', 'statfs']
for (const name of NAMES) {
  const later = fs.promises[name]
  fs.promises[name] = (path, ...rest) =>
    doesHang(path) ? openLater(pipe, 'r') : later.call(fs.promises, path, ...rest)
  const called = fs[name]
  if (called) {
    fs[name] = (path, ...rest) =>
      doesHang(path) ? open(pipe, 'r', () => {}) : called.call(fs, path, ...rest)
  }
  const direct = fs[`${name}Sync`]
  if (!direct) continue
  fs[`${name}Sync`] = (path, ...rest) => {
    if (doesHang(path)) openSync(pipe, 'r')
    return direct.call(fs, path, ...rest)
  }
}
fs.existsSync = (path) => {
  if (doesHang(path)) openSync(pipe, 'r')
  return isOpen(path)
}
syncBuiltinESMExports()
