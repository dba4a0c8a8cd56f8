import {
  type AccountCommandDeps,
  createAdmin,
  givePassword,
  resetSecondStep,
  signOut,
  signOutEverybody,
} from '../accounts/account-commands.ts'
import { type Keys, receiptSecrets } from '../accounts/keys.ts'
import { replacePepper } from '../accounts/pepper.ts'
import { listDeletedArticles, restoreArticle } from '../articles/deleted-article-rows.ts'
import { recordChange } from '../audit/audit-rows.ts'
import { startEpoch } from '../audit/new-epoch.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import type { Database } from '../deps.ts'
import { rotateReceiptKey } from '../hand-ins/receipt-key-rows.ts'
import { isId } from '../http/read-query.ts'
import { CommandError } from './command-error.ts'
import { LOG_USAGE, showLog } from './log-command.ts'
import { readEntry, settleRestored } from './returned-accounts.ts'

type CommandDeps = AccountCommandDeps & {
  keys: Pick<Keys, 'pepper'>
  /** Rejects where the pepper is missing, or is another than that of the database. */
  ensureOwnPepper(): Promise<void>
  /** The database at an address as in DATABASE_URL. */
  openOther(address: string): Promise<OpenDatabase>
}

const USAGE = [
  'npm run admin -- create EMAIL           makes an admin and shows the password once',
  'npm run admin -- reset-password EMAIL   gives an account a new password and shows it once',
  'npm run admin -- reset-second-step EMAIL removes the passkeys, the authenticator app and the recovery codes of an account',
  'npm run admin -- sign-out EMAIL         ends every session of an account',
  'npm run admin -- sign-out --everybody   ends every session there is',
  'npm run admin -- deleted-articles       lists the articles that can be brought back',
  'npm run admin -- restore-article ID     brings one back, with every text it had',
  ...LOG_USAGE,
  'npm run admin -- new-epoch [ADDRESS]    after pg_restore: pages compare all they have, and sessions end that the replaced',
  '                                        database at ADDRESS does not have; all of them where no ADDRESS is given',
  'npm run admin -- new-pepper              where the pepper is lost: takes the present one, or makes it; every password has',
  '                                        to be reset then',
  'npm run admin -- new-receipt-key        signs later receipts with another key; the keys before stay published',
].join('\n')

/** Runs one command of the server's owner and returns the text to print. */
export async function runCommand(deps: CommandDeps, words: readonly string[]): Promise<string> {
  const [command, id, ...rest] = words
  const account = accountCommands.get(command ?? '')
  if (account && id !== undefined && rest.length === 0) return account(deps, id)
  if (command === 'deleted-articles' && id === undefined) return showDeleted(deps)
  if (command === 'restore-article' && isId(id) && rest.length === 0) return restore(deps, id)
  if (command === 'log') {
    const shown = await showLog(deps.db, words.slice(1))
    if (shown !== undefined) return shown
  }
  if (command === 'new-epoch' && rest.length === 0) return newEpoch(deps, id)
  if (command === 'new-pepper' && id === undefined) return newPepper(deps)
  if (command === 'new-receipt-key' && id === undefined) return newReceiptKey(deps)
  throw new CommandError(USAGE)
}

type AccountCommand = (deps: CommandDeps, email: string) => Promise<string>

const accountCommands: ReadonlyMap<string, AccountCommand> = new Map([
  ['create', createAdmin],
  ['reset-password', givePassword],
  ['reset-second-step', resetSecondStep],
  [
    'sign-out',
    (deps, who) => (who === '--everybody' ? signOutEverybody(deps) : signOut(deps, who)),
  ],
])

async function showDeleted({ db }: CommandDeps): Promise<string> {
  const articles = await listDeletedArticles(db)
  if (articles.length === 0) return 'There is no deleted article.'
  return articles.map(({ id, name, deleted_at }) => `${id}  ${deleted_at}  ${name}`).join('\n')
}

function restore(deps: CommandDeps, id: string): Promise<string> {
  return deps.db.transaction().execute(async (db) => {
    const name = await restoreArticle(db, id, deps.clock.now())
    if (name === undefined) throw new CommandError(`No deleted article has the id ${id}`)
    await recordChange(deps, db, { actorId: null, action: 'article.restored', subjectId: id })
    return `'${name}' is back.`
  })
}

/** `address`: the data that was replaced by the restore, if it still exists. */
async function newEpoch(deps: CommandDeps, address?: string): Promise<string> {
  const replaced = address === undefined ? null : await entryAt(deps, address)
  return deps.db.transaction().execute(async (db) => {
    await startEpoch(deps, db)
    const entry = await settleRestored(db, replaced)
    return [
      ...entry,
      'A new epoch began: every page compares what it has with this data, the next time it asks.',
    ].join('\n')
  })
}

function newPepper(deps: CommandDeps): Promise<string> {
  const { pepper } = deps.keys
  return deps.db.transaction().execute(async (db) => {
    await replacePepper(db, pepper)
    // The key in use was derived from the lost one.
    await rotateKey(deps, db)
    await recordChange(deps, db, {
      actorId: null,
      action: 'server.new-pepper',
      subjectId: 'pepper',
    })
    return 'The current pepper is now in use. Passwords hashed with another one no longer work: reset them. So do recovery codes and authenticator apps: npm run admin -- reset-second-step EMAIL.'
  })
}

async function newReceiptKey(deps: CommandDeps): Promise<string> {
  await deps.ensureOwnPepper()
  return deps.db.transaction().execute(async (db) => {
    const { number, publicKey } = await rotateKey(deps, db)
    await recordChange(deps, db, {
      actorId: null,
      action: 'server.new-receipt-key',
      subjectId: String(number),
    })
    return `Receipts are signed with key ${number} from now on: ${publicKey}`
  })
}

function rotateKey({ keys, clock }: CommandDeps, db: Database) {
  return rotateReceiptKey(db, receiptSecrets(keys.pepper), new Date(clock.now()).toISOString())
}

async function entryAt({ openOther }: CommandDeps, address: string) {
  const { db, close } = await openOther(address)
  return readEntry(db).finally(close)
}
