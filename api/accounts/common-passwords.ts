import type { Config } from '../config.ts'
import { ApiError } from '../http/errors.ts'
import { isOnList } from './password-list.ts'

/**
 * Words that most common passwords consist of, without spelling tricks, digits and signs around them: they match the
 * many spellings that no list contains.
 */
const COMMON_WORDS = new Set(
  `password passwort passw0rd pass passwd passcode passphrase secret letmein welcome login admin administrator
  root user guest test testing tester demo default changeme change master access system computer internet
  server website windows microsoft google facebook twitter linkedin yahoo gmail hotmail apple samsung android
  iloveyou iloveu loveyou lovely lover love mylove forever sweetheart honey baby babygirl angel princess prince
  queen king hello hellohello whatever trustno nothing freedom blessed jesus jesuschrist god heaven faith
  sunshine sunflower summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday
  january february march april june july august september october november december shadow dragon monkey
  tiger lion eagle falcon phoenix panther dolphin butterfly elephant chicken rabbit kitten puppy flower rainbow
  football baseball basketball soccer hockey tennis golf rangers yankees cowboys steelers eagles lakers arsenal
  liverpool chelsea barcelona realmadrid juventus manchester united superman batman spiderman ironman starwars
  pokemon pikachu naruto minecraft fortnite nintendo playstation xbox matrix hunter killer ninja warrior wizard
  merlin gandalf harrypotter hogwarts mustang ferrari porsche mercedes corvette harley yamaha honda toyota
  michael jennifer jessica michelle nicole daniel charlie thomas jordan robert matthew andrew joshua ashley
  amanda samantha stephanie anthony william richard joseph patrick maggie buster ginger pepper cookie chocolate
  cheese banana orange strawberry coffee whiskey mother father family friend friends london berlin paris
  newyork california texas america australia canada england scotland ireland germany france diamond golden silver
  money million dollar power thunder lightning purple yellow black white green crystal secure security
  abc abcd abcdef abcdefg abcdefgh qwerty qwertyui qwertyuiop qwertz azerty asdf asdfgh asdfghjk asdfghjkl zxcv zxcvbn
  zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc asdzxc zaqxsw poiuytrewq lkjhgfdsa mnbvcxz`
    .trim()
    .split(/\s+/),
)

/** Keyboard and alphabet rows; a run of neighbours in either direction is a weak password. */
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }),
)

type Account = {
  name: string
  email: string
  /** Names of the user's clients. */
  clients?: readonly string[]
}

/** Refuses common passwords, and those made of public facts about the account. */
export function ensureUncommon(
  { passwordBlocklist, productName, agencyName }: Config,
  password: string,
  account: Account,
): void {
  if (!passwordBlocklist) return
  const known = [
    account.email,
    account.email.split('@')[0] ?? '',
    account.name,
    ...(account.clients ?? []),
    productName,
    agencyName,
  ]
  if (isCommon(password, known)) {
    throw new ApiError(400, 'This password is easy to guess. Please choose another one.', {
      reason: 'common_password',
    })
  }
}

export function isCommon(password: string, knownWords: readonly string[]): boolean {
  const folded = fold(password)
  const known = knownWords
    .flatMap((words) => [words, words.replaceAll('&', 'and')])
    .map(lettersOf)
    .filter((word) => word.length > 2)
  const isWord = (word: string) => COMMON_WORDS.has(word) || known.includes(word)
  if (isOnList(password.toLowerCase()) || isRun(folded)) return true
  return candidates(folded).some((text) => isWord(text) || isWord(repeated(text)))
}

/** The password without padding around a word and with look-alike signs replaced by letters. */
function candidates(folded: string): string[] {
  const bare = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spelled = [...folded].map((sign) => LOOKALIKES.get(sign) ?? sign).join('')
  const spelledBare = [...bare].map((sign) => LOOKALIKES.get(sign) ?? sign).join('')
  return [folded, bare, spelled, spelledBare].map(lettersOf).filter((text) => text.length > 2)
}

/** A repeated part, or neighbours on a keyboard, in the alphabet or in counting. */
function isRun(folded: string): boolean {
  const part = repeated(folded)
  return part.length <= 4 && part !== folded ? true : RUNS.some((run) => run.includes(part))
}

/** The part that the text repeats, or the whole text. */
function repeated(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const lettersOf = (text: string) => fold(text).replace(/[^\p{L}]/gu, '')
