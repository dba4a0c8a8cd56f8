import type { Config } from '../config.ts'
import { MAIL_LOGO } from './mail-logo.ts'
import type { Mail } from './mailer.ts'

/** The frame of every mail: plain text and HTML with the same content, from the same parts. */

export type MailLine = {
  title: string
  url: string
  /** Emphasised, before `text`. */
  late: string | null
  text: string
}

/** What users wrote has to come through `withoutLinks`. */
export type MailPart =
  | { kind: 'text' | 'small' | 'quote' | 'head'; text: string }
  | { kind: 'lines'; lines: readonly MailLine[] }
  | { kind: 'link'; text: string; url: string }
  /** With its address below it, for programs that show no buttons: for links that are needed to go on. */
  | { kind: 'button'; text: string; url: string; hasAddress: boolean }

export type MailWords = {
  subject: string
  title: string
  /** What mail programs show next to the subject; null for the beginning of the mail. */
  preview: string | null
  parts: readonly MailPart[]
  /** Of mails that can be stopped: why the reader gets it, and where to change that. */
  stop: { why: string; changeUrl: string; stopUrl: string } | null
}

/** Names the mail of this row in headers; the same when it is sent again. */
export const messageIdOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, id: string): string =>
  `<${id}@${new URL(publicUrl).hostname}>`

const LEAST_WIDTH = 1280

export const openOnComputer = (
  { productName }: Pick<Config, 'productName'>,
  open: string,
): string =>
  `${open} on a computer: ${productName} needs a window at least ${LEAST_WIDTH} pixels wide.`

type Names = Pick<Config, 'productName' | 'agencyName' | 'supportEmail'>

export function mailPage(
  names: Names,
  words: MailWords,
): Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'> {
  return {
    subject: words.subject,
    text: plainText(names, words),
    html: page(names, words),
    attachments: [LOGO],
  }
}

function plainText({ agencyName, supportEmail }: Names, { title, parts, stop }: MailWords): string {
  const agency = `Powered by ${agencyName}.`
  const foot = supportEmail === '' ? agency : `${agency} Questions? Write to ${supportEmail}.`
  const lines = [title, ...parts.map(plainPart), foot]
  if (stop === null) return lines.join('\n\n')
  const { why, changeUrl, stopUrl } = stop
  const ways = [why, `Change your mails: ${changeUrl}`, `Stop these mails: ${stopUrl}`]
  return [...lines, ways.join('\n')].join('\n\n')
}

function plainPart(part: MailPart): string {
  switch (part.kind) {
    case 'button':
      return part.hasAddress ? part.url : `${part.text}:\n${part.url}`
    case 'link':
      return `${part.text}:\n${part.url}`
    case 'lines':
      return part.lines.map(plainLine).join('\n')
    case 'head':
      return part.text.toUpperCase()
    case 'quote':
      return part.text.replace(/^/gm, '> ')
    default:
      return part.text
  }
}

const plainLine = ({ title, url, late, text }: MailLine): string =>
  `- ${title}\n  ${joined(late, text)}\n  ${url}`

const joined = (...texts: (string | null)[]): string => texts.filter(Boolean).join(' · ')

const LOGO = {
  filename: 'logo.png',
  cid: 'logo',
  contentType: 'image/png',
  contentDisposition: 'inline',
  content: Buffer.from(MAIL_LOGO, 'base64'),
} as const

const SERIF = 'font-family:Literata,Georgia,serif'
const SANS = "font-family:'Hanken Grotesk',system-ui,Arial,sans-serif"
const STYLES = {
  body: 'margin:0;padding:0;background:#f0f2ef',
  card: 'width:100%;max-width:560px;border:1px solid #d3d9d5;border-radius:10px;border-collapse:separate;background:#fefefc',
  head: 'padding:21px 36px 20px;border-bottom:1px solid #e4e8e4',
  logo: 'display:block;border:0;border-radius:6px;background:#fefefc',
  product: `padding-left:10px;${SERIF};font-size:20px;line-height:26px;font-weight:500;color:#18211f`,
  words: 'padding:30px 36px 24px',
  title: `margin:0 0 14px;${SERIF};font-size:26px;line-height:32px;font-weight:500;color:#18211f`,
  text: `margin:0 0 14px;${SANS};font-size:16px;line-height:25px;color:#18211f`,
  quote: `margin:0 0 14px;padding-left:14px;border-left:2px solid #a7add9;${SERIF};font-size:16px;line-height:25px;color:#18211f`,
  part: `margin:22px 0 10px;${SERIF};font-size:18px;line-height:24px;font-weight:500;color:#18211f`,
  lines: 'margin:0 0 14px;padding:0;list-style:none',
  line: `margin:0 0 8px;padding:0 0 9px;border-bottom:1px solid #e4e8e4;${SANS};font-size:14px;line-height:21px;color:#4a5653`,
  lineTitle: `${SERIF};font-size:17px;line-height:24px;color:#1f555c;overflow-wrap:anywhere`,
  late: 'font-weight:500;color:#82540a',
  button: `display:inline-block;padding:12px 24px;border-radius:6px;background:#1f555c;${SANS};font-size:16px;line-height:20px;font-weight:600;color:#fefefc;text-decoration:none`,
  small: `margin:0 0 10px;${SANS};font-size:14px;line-height:21px;color:#4a5653`,
  anchor: 'color:#1f555c',
  address: 'color:#1f555c;overflow-wrap:anywhere;word-break:break-all',
  foot: `padding:18px 36px;border-top:1px solid #e4e8e4;${SANS};font-size:13px;line-height:19px;color:#63706c`,
  hidden: 'display:none;max-height:0;overflow:hidden',
}

/** In a narrow window the card takes the width. */
const NARROW =
  '@media (max-width:599px){.ground{padding:0!important}.card{border:0!important;border-radius:0!important}.part{padding-left:20px!important;padding-right:20px!important}}'
/** The colours of the application's dark scheme, for programs that read them. */
const DARK = [
  ['.ground', 'background:#10181a'],
  ['.card', 'background:#1a2427;border-color:#3b494b'],
  ['.part,.line', 'border-color:#2b383a'],
  ['.card,.card h1,.card h2,.card p,.product', 'color:#dbe2de'],
  ['.card .soft,.line', 'color:#c0cac6'],
  ['.foot', 'color:#9aa7a3'],
  ['.quote', 'border-color:#a7add9'],
  ['.late', 'color:#d9b35c'],
  ['.card a', 'color:#92bdbe'],
  ['.card .button a', 'background:#92bdbe;color:#10181a'],
]
  .map(([selector, colours]) => `${selector}{${colours?.replace(/(;|$)/g, '!important$1')}}`)
  .join('')
const SCHEMES = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body{background:#10181a!important}${DARK}}`
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** Tables and inline styles: mail programs support little else. The logo is attached, so that nothing is fetched. */
function page(names: Names, { subject, title, preview, parts, stop }: MailWords): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(subject)}</title><style>${NARROW}${SCHEMES}</style></head>`,
    `<body style="${STYLES.body}">`,
    ...(preview ? [`<div style="${STYLES.hidden}">${escaped(preview)}</div>`] : []),
    `<table ${TABLE} width="100%"><tr>`,
    '<td class="ground" align="center" bgcolor="#f0f2ef" style="padding:32px">',
    `<table ${TABLE} class="card" width="560" style="${STYLES.card}">`,
    `<tr><td class="part" style="${STYLES.head}"><table ${TABLE}><tr>`,
    `<td><img src="cid:${LOGO.cid}" width="34" height="34" alt="" style="${STYLES.logo}"></td>`,
    `<td class="product" style="${STYLES.product}">${escaped(names.productName)}</td></tr></table></td></tr>`,
    `<tr><td class="part" align="left" style="${STYLES.words}">`,
    `<h1 style="${STYLES.title}">${escaped(title)}</h1>`,
    ...parts.map(htmlPart),
    '</td></tr>',
    `<tr><td class="part foot" align="left" style="${STYLES.foot}">${foot(names, stop)}</td></tr>`,
    '</table></td></tr></table></body></html>',
  ].join('\n')
}

function htmlPart(part: MailPart): string {
  switch (part.kind) {
    case 'button': {
      const url = escaped(part.url)
      const button = `<p class="button" style="margin:20px 0 22px"><a style="${STYLES.button}" href="${url}">${escaped(part.text)}</a></p>`
      if (!part.hasAddress) return button
      return `${button}\n<p class="soft" style="${STYLES.small}">If the button does nothing, copy this address:<br><a style="${STYLES.address}" href="${url}">${url}</a></p>`
    }
    case 'link':
      return `<p style="${STYLES.small}">${anchor(part.text, part.url)}</p>`
    case 'lines':
      return `<ul style="${STYLES.lines}">${part.lines.map(htmlLine).join('')}</ul>`
    case 'head':
      return `<h2 style="${STYLES.part}">${escaped(part.text)}</h2>`
    case 'quote':
      return `<p class="quote" dir="auto" style="${STYLES.quote}">‘${escaped(part.text).replaceAll('\n', '<br>')}’</p>`
    case 'small':
      return `<p class="soft" style="${STYLES.small}">${escaped(part.text)}</p>`
    case 'text':
      return `<p style="${STYLES.text}">${escaped(part.text)}</p>`
  }
}

function htmlLine({ title, url, late, text }: MailLine): string {
  const begin = late && `<span class="late" style="${STYLES.late}">${escaped(late)}</span>`
  const link = `<a dir="auto" style="${STYLES.lineTitle}" href="${escaped(url)}">${escaped(title)}</a>`
  return `<li class="line" style="${STYLES.line}">${link}<br>${joined(begin, escaped(text))}</li>`
}

function foot({ agencyName, supportEmail }: Names, stop: MailWords['stop']): string {
  const support = escaped(supportEmail)
  const agency = escaped(`Powered by ${agencyName}.`)
  const questions =
    support &&
    ` Questions? Write to <a style="${STYLES.anchor}" href="mailto:${support}">${support}</a>.`
  const ways =
    stop &&
    [
      '',
      escaped(stop.why),
      `${anchor('Change your mails', stop.changeUrl)} · ${anchor('Stop these mails', stop.stopUrl)}`,
    ].join('<br>')
  return `${agency}${questions}${ways ?? ''}`
}

const anchor = (text: string, url: string): string =>
  `<a style="${STYLES.anchor}" href="${escaped(url)}">${escaped(text)}</a>`

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign)
