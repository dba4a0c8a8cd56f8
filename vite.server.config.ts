import { defineConfig } from 'vite'

/**
 * The server and its commands in a few files beside the page: Node needs a second to find and read a thousand small
 * ones, and that is most of the time that a restart keeps people waiting. Only what has compiled parts stays
 * in `node_modules`. Worker threads are entries of their own, where `api/server.ts` looks for them.
 */
const ENTRIES = {
  start: 'start',
  admin: 'commands/admin',
  doctor: 'commands/doctor',
  move: 'commands/move',
  restore: 'commands/restore',
  'demo/demo': 'demo/demo',
  'accounts/password-worker': 'accounts/password-worker',
  'database/sqlite/sqlite-worker': 'database/sqlite/sqlite-worker',
}

export default defineConfig({
  publicDir: false,
  ssr: { target: 'node', noExternal: true, external: ['pg-native'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    // A server that runs loads some of its files later: those of the build before stay.
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries(ENTRIES).map(([name, file]) => [name, `api/${file}.ts`]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
