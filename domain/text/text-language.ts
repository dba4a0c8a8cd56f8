/**
 * The language that a text is written in. An article has no field for it, so it is read from the text: the script of
 * most of its letters, then its function words. A text that is too short, or that two languages could have, is in the
 * browser's first language with that script.
 */

/** Scripts whose languages are distinguished here, by their codes, and the language where nothing else decides. */
const SCRIPTS = [
  { script: 'Latn', letters: /\p{sc=Latin}/gu, language: 'en' },
  { script: 'Cyrl', letters: /\p{sc=Cyrillic}/gu, language: 'ru' },
  { script: 'Grek', letters: /\p{sc=Greek}/gu, language: 'el' },
] as const

/** Common words that distinguish languages. Danish and Norwegian share nearly all: then neither is chosen. */
const FUNCTION_WORDS = {
  en: 'the and of to a in is that it for with was on are this be they not by at should',
  de: 'der die das und ist nicht ein eine zu in mit von auf für sich sie sind auch dem den im es',
  fr: 'le la les de des du et en est un une que dans qui pas sur avec par ils sont ou au aux il ne',
  es: 'el la los las de y en que un una con por para del se no su como más están son al unos lo',
  it: 'il la di che e è un una per non con del della gli in si i sono le dei nel alla ed da',
  pt: 'o a os as de e em que um uma por para com não se do da dos das no na ao mais são uns',
  nl: 'de het een en van in is dat niet op te met voor zijn die er aan ook worden zij',
  sv: 'och att det är en som på för av med i inte ett den till de har om bör',
  da: 'og at det er en som på for af med i ikke et den til de har om bør',
  nb: 'og at det er en som på for av med i ikke et den til de har om bør',
  fi: 'ja on ei että se oli mutta kun niin myös ovat kuin tai hän joka heidän',
  et: 'ja on ei et see oli aga kui siis ka mis oma ning või nende neile',
  pl: 'i w nie na się z do jest to że jak są ale oraz oni dla od',
  cs: 'a v na se je že to z do si jsou jako ale pro která aby s k jak mají',
  hu: 'a az és hogy nem is egy meg de van ez csak volt vagy kell',
  ro: 'și în de la cu nu pe din este o care a să se un sunt unele pentru',
  tr: 've bir bu da de için ile çok ne daha olarak olan gibi her ya',
  ru: 'и в не что это как для они или с на по из но его',
  uk: 'і в не що це як для вони та з на до у або й',
  bg: 'и на да се за от са е в по като че с те това',
  el: 'και το η ο να τα του την της οι στην με για είναι',
} as const

const HITS_MIN = 4
/** Of all words of the text. */
const SHARE_MIN = 0.1
/** How much better the best language has to be than the next. */
const LEAD_MIN = 1.5

const WORDS_OF = Object.entries(FUNCTION_WORDS).map(([language, words]) => ({
  language,
  words: new Set<string>(words.split(' ')),
}))

/**
 * A tag such as 'de' or 'de-CH': the region is the one that the browser has for the language. Null for a text in
 * another script, and for an empty one in a browser whose first language has another.
 */
export function languageOf(text: string, languages: readonly string[]): string | null {
  const name = hasLetters(text) ? scriptOf(text) : scriptOfTag(languages[0] ?? '')
  const script = SCRIPTS.find(({ script }) => script === name)
  if (!script) return null
  const known = languageByWords(text)
  const isOfText = (tag: string) =>
    known === null ? scriptOfTag(tag) === name : tag.split('-')[0] === known
  return languages.find(isOfText) ?? known ?? script.language
}

const hasLetters = (text: string): boolean => /\p{L}/u.test(text)

/** Null where most letters are of other scripts. */
function scriptOf(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const most = SCRIPTS.find((script) => 2 * (text.match(script.letters)?.length ?? 0) > letters)
  return most?.script ?? null
}

/** Latin for what is no tag of a language. */
function scriptOfTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script
  } catch {
    return 'Latn'
  }
}

function languageByWords(text: string): string | null {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const [best, next] = WORDS_OF.map(({ language, words: known }) => ({
    language,
    hits: words.filter((word) => known.has(word)).length,
  })).sort((a, b) => b.hits - a.hits)
  if (!best || best.hits < Math.max(HITS_MIN, SHARE_MIN * words.length)) return null
  return best.hits >= LEAD_MIN * (next?.hits ?? 0) ? best.language : null
}
