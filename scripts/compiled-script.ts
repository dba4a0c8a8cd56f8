import { build } from 'vite'

/** Returns the module at `entry` with all that it imports as one plain script. */
export async function compiledScript(entry: string): Promise<string> {
  const lib = { entry, formats: ['iife' as const], name: 'script' }
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { lib, write: false, target: 'es2022' },
  })
  const [output] = Array.isArray(built) ? built : []
  const [chunk] = output?.output ?? []
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not built`)
  return chunk.code
}
