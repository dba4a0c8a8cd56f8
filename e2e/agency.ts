import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from '../api/database/sqlite/better-sqlite3.ts'
import { plainText } from '../domain/text/article-text.ts'
import { type ArticleText, asDocument } from '../domain/text/document.ts'
import type { Session } from '../domain/wire/users.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The folder of the build that `npm run build` makes. */
export const BUILD = join(root, 'dist')

export const WRITER = { email: 'imogen@larkspurgardens.example', name: 'Imogen Hale' }
export const COLLEAGUE = { email: 'tobias@larkspurgardens.example' }
export const ADMIN = 'rowan@moonandowl.example'

/** The demo agency as a real server process over a real database file. */
export type Agency = {
  readonly port: number
  readonly url: string
  /** Everything the server printed. */
  output(): string
  /** The password that the demo printed for this e-mail address. */
  passwordOf(email: string): string
  /**
   * The session of the writer, the colleague or the admin, who logged in before the stories began. Throws for other
   * users.
   */
  sessionOf(email: string): Session
  /** SIGKILL to the server process. */
  kill(): Promise<void>
  /** Starts the server again over the same data, on the same port; of another build where `build` names its folder. */
  restart(build?: string): Promise<void>
  /** The rows as they are on disk now. */
  articles(): StoredArticle[]
  revisions(articleId: string): StoredRevision[]
  /** What was handed in, in order, and the versions that the audit log says were completed. */
  handIns(articleId: string): { handIns: StoredHandIn[]; completed: number[] }
  /** The mails as they were written to files, oldest first, in plain lines. */
  mails(): string[]
  /** What is wrong with the database file; null when nothing is. */
  fault(): string | null
  /** Runs `npm run admin` on the data and returns what it prints. */
  admin(...words: string[]): string
  /** Writes behind the server's back, to set a scene. */
  change(sql: string, ...values: unknown[]): void
  close(): Promise<void>
}

export type StoredHandIn = { number: number; textVersion: number; textHash: string }

export type StoredArticle = {
  id: string
  name: string
  completed: 0 | 1
  text: string
  textVersion: number
  version: number
  updatedAt: string
}
export type StoredRevision = {
  textVersion: number
  reason: string
  text: string
  document: ArticleText
  key: string | null
}

/** Names the folder of an agency that no test has used yet. */
export const FRESH_AGENCY = 'CONTUN_FRESH_AGENCY'
/** Holds the sessions of those who logged in to it, by e-mail address. */
export const SESSIONS = 'CONTUN_SESSIONS'

/**
 * A call of the API by a user who logged in before the stories began; `path` is behind `/v1`. Returns the body of the response,
 * null without one. Throws for any refusal.
 */
export async function callAs(
  agency: Agency,
  email: string,
  method: string,
  path: string,
  body?: object,
) {
  const answer = await fetch(`${agency.url}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${agency.sessionOf(email).tokens.access.token}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

function printedPassword(printed: readonly string[], email: string): string {
  const lines = printed.join('').split('\n')
  const password = lines
    .find((line) => line.includes(email))
    ?.trim()
    .split(/\s+/)
    .at(-1)
  if (!password) throw new Error(`The demo printed no login for ${email}`)
  return password
}

/** The demo agency, in a folder of its own. */
export function startAgency(env: Record<string, string> = {}, built = BUILD): Promise<Agency> {
  const folder = mkdtempSync(join(tmpdir(), 'contun-agency-'))
  cpSync(process.env[FRESH_AGENCY] ?? '', folder, { recursive: true })
  return startOver(folder, { env, built, entry: 'server/demo/demo.js' })
}

type Start = { env: Record<string, string>; built?: string; entry?: string }

/** A server of `built` over the data in the folder, which `close` removes. */
export async function startOver(
  folder: string,
  { env, built = BUILD, entry = 'server/start.js' }: Start,
): Promise<Agency> {
  const printed: string[] = []
  const first = join(built, entry)
  let server = launch(first, { ...env, PORT: '0', DATA_DIR: folder }, printed)
  const port = await ready(server, printed)

  const read = <T>(sql: string, ...values: unknown[]): T[] => {
    const database = new Database(join(folder, 'contun.sqlite'), { readonly: true })
    try {
      return database.prepare(sql).all(...values) as T[]
    } finally {
      database.close()
    }
  }

  return {
    port,
    url: `http://localhost:${port}`,
    output: () => printed.join(''),
    passwordOf: (email) => printedPassword(printed, email),
    sessionOf(email) {
      const session = (JSON.parse(process.env[SESSIONS] ?? '{}') as Record<string, Session>)[email]
      if (!session) throw new Error(`${email} did not log in before the stories began`)
      return session
    },
    kill: () => end(server, 'SIGKILL'),
    async restart(build = built) {
      const from = printed.length
      server = launch(
        join(build, 'server/start.js'),
        { ...env, PORT: String(port), DATA_DIR: folder },
        printed,
      )
      await ready(server, printed, from)
    },
    articles: () =>
      read<{ article_text: string } & Record<string, unknown>>(
        'select id, name, completed, version, text_version as textVersion, updated_at as updatedAt, article_text from articles',
      ).map(
        ({ article_text, ...row }) => ({ ...row, text: asText(article_text) }) as StoredArticle,
      ),
    revisions: (articleId) =>
      read<{ article_text: string } & Record<string, unknown>>(
        'select text_version as textVersion, reason, idem_key as key, article_text from article_revisions where article_id = ? order by text_version',
        articleId,
      ).map(
        ({ article_text, ...row }) =>
          ({
            ...row,
            text: asText(article_text),
            document: JSON.parse(article_text),
          }) as StoredRevision,
      ),
    handIns: (articleId) => ({
      handIns: read<StoredHandIn>(
        "select number, text_version as textVersion, json_extract(receipt, '$.textHash') as textHash from hand_ins where article_id = ? order by number",
        articleId,
      ),
      completed: read<{ textVersion: number }>(
        "select json_extract(detail, '$.textVersion') as textVersion from audit where subject_id = ? and action = 'article.completed' order by id",
        articleId,
      ).map(({ textVersion }) => textVersion),
    }),
    mails() {
      const box = join(folder, 'mail')
      const files = existsSync(box) ? readdirSync(box).sort() : []
      return files.map((name) => unquoted(readFileSync(join(box, name), 'utf8')))
    },
    fault() {
      const found = read<{ integrity_check: string }>('pragma integrity_check')
      const faults = found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
      return faults.length > 0 ? faults.join('\n') : null
    },
    admin: (...words) =>
      execFileSync(process.execPath, [join(built, 'server/admin.js'), ...words], {
        cwd: folder,
        env: { PATH: process.env.PATH, DATA_DIR: folder },
        encoding: 'utf8',
      }),
    change(sql, ...values) {
      const database = new Database(join(folder, 'contun.sqlite'))
      try {
        database.prepare(sql).run(...values)
      } finally {
        database.close()
      }
    },
    async close() {
      await end(server, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Quoted-printable, as far as a link needs it. */
export const unquoted = (mail: string) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')

function asText(stored: string): string {
  return plainText(asDocument(JSON.parse(stored) as ArticleText))
}

function launch(entry: string, env: Record<string, string>, printed: string[]): ChildProcess {
  const server = spawn(process.execPath, ['--disable-proto=delete', entry], {
    // Not in the project folder, where a developer may have an .env.
    cwd: env.DATA_DIR,
    // A suite signs in more often from one address than users do.
    env: { ...process.env, RATE_LIMITS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  }
  return server
}

/** Resolves with the port once the server says that it is ready. */
function ready(server: ChildProcess, printed: string[], from = 0): Promise<number> {
  return new Promise((settle, fail) => {
    const look = () => {
      const found = /ready at http:\/\/\S+?:(\d+)/.exec(printed.slice(from).join(''))
      if (found) settle(Number(found[1]))
    }
    server.stdout?.on('data', look)
    server.once('exit', (code) =>
      fail(new Error(`The server ended with ${code}:\n${printed.join('')}`)),
    )
    look()
  })
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((exited) => server.once('exit', exited))
  server.kill(signal)
  await ended
}
