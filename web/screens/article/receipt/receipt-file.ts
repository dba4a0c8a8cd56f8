import { FILE_DATES } from '../../../../domain/calendar/file-dates.ts'
import { escapedHtml } from '../../../../domain/exports/article-html.ts'
import { countEntities } from '../../../../domain/keywords/keyword.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { canonicalJson } from '../../../../domain/text/canonical.ts'
import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { Names } from '../../../app/names.ts'
import { litPath } from '../../../ui/moon/moon.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { handedInText } from '../../../ui/words/minimum-text.ts'
import { changedSince, writersOf } from './receipt-authors.ts'

export type ReceiptNames = Pick<Names, 'productName' | 'agencyName'>

/** A face inside the file; `data` is WOFF2 in base64. */
export type Face = { family: 'serif' | 'sans'; range: string; data: string }

export const RECEIPT_ID = 'contun-receipt'

/**
 * A receipt as one page of HTML that is read and printed without the product: no script, no address that is fetched,
 * faces included. It also has the receipt itself as JSON, which the server can verify.
 */
export const receiptFile = (
  receipt: Receipt,
  names: ReceiptNames,
  faces: readonly Face[],
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<meta name="viewport" content="width=device-width">
<title>${escapedHtml(`${receipt.article.name} – receipt ${receipt.number}`)}</title>
<style>${faces.map(faceRule).join('')}${STYLE}</style>
</head>
<body>
${receiptBody(receipt, names)}
</body>
</html>
`

/**
 * What the page shows. It follows from the signed receipt and the names alone, in English and UTC, so that a file whose
 * words were changed is found by writing it again. `isFormer` writes the page of earlier releases, which
 * named all authors under 'Written by', and every group of entities also where there was none.
 */
export function receiptBody(
  receipt: Receipt,
  { productName, agencyName }: ReceiptNames,
  isFormer = false,
): string {
  const { article, client, by, number, at, words, wordMinimum, groups } = receipt
  const writers = isFormer ? receipt.authors : writersOf(receipt)
  const since = isFormer ? null : changedSince(receipt)
  const isListed = isFormer || countEntities(groups) > 0
  const rows: [string, string][] = [
    ...(writers.length > 0 ? [['Written by', namesIn(writers)] as const] : []),
    ...(since ? [[`Since hand-in ${number - 1}`, namesIn(since) || 'no changes'] as const] : []),
    ...(isListed ? groups : []).map(({ category, used, total, unused }) => {
      const names = namesIn(unused)
      const rest = total - used - unused.length
      const left = rest > 0 ? ` and ${figure(rest)} more` : ''
      const missing = used < total ? ` <span class="soft">· not used: ${names}${left}</span>` : ''
      return [category, `${figure(used)} of ${figure(total)} used${missing}`] as const
    }),
    ...(isListed ? [] : [['Entities', 'No entities'] as const]),
    ['Fingerprint of the text', code(receipt.textHash)],
    [
      'Signed by',
      `<span data-name="agency">${escapedHtml(agencyName)}</span> <span class="soft">· ${escapedHtml(receipt.agency.replace(/^https:\/\//, ''))}</span>${code(receipt.signature)}`,
    ],
  ].map(([name = '', value = '']) => [name, value])
  return `<main>
<header><span class="product">${LOGO}<span data-name="product">${escapedHtml(productName)}</span></span><span class="soft">Receipt of a hand-in</span></header>
<h1>${isolated(article.name)}</h1>
${client === null ? '' : `<p class="soft">${isolated(client)}</p>`}
<section>${moon(words, wordMinimum)}<p><strong>Handed in${by ? ` by ${isolated(by.name)}` : ''}</strong><br><span class="soft">${FILE_DATES.date(at)}, ${FILE_DATES.timeWithSeconds(at)} (UTC) · hand-in ${number}</span></p>
<p class="figure"><b>${figure(words)}</b> ${words === 1 ? 'word' : 'words'}<br><span class="soft">${handedInText(words, wordMinimum)}</span></p></section>
<dl>
${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n')}
</dl>
<footer><strong>How to check it.</strong> In ${escapedHtml(productName)}, open the article, choose Receipt, then Check a file. Drop this file there to see whether the receipt was changed, or the article’s file to see whether it is exactly the text that was handed in.</footer>
</main>
<pre id="${RECEIPT_ID}" hidden>${escapedHtml(canonicalJson(receipt))}</pre>`
}

/** A name of any script and direction, apart from the words around it. */
const isolated = (name: string): string => `<bdi>${escapedHtml(name)}</bdi>`

const namesIn = (names: readonly string[]): string => names.map(isolated).join(', ')

/** In groups of four signs. */
const code = (signs: string): string =>
  `<code>${escapedHtml(signs.match(/.{1,4}/g)?.join(' ') ?? '')}</code>`

const LOGO = `<svg width="24" height="24" viewBox="0 0 32 32" fill="#1f555c" aria-hidden="true"><path d="M22.3 9 A11.4 11.4 0 1 0 26.3 23 A9.1 9.1 0 1 1 22.3 9 Z"/><rect x="10.3" y="2" width="11.4" height="2.2" rx=".4"/></svg>`
function moon(words: number, minimum: number): string {
  const warns = minimumVerdict(words, minimum) === 'warning'
  const lit = warns ? '#dfa644' : '#1f555c'
  const path = 'M-19 2 L-6 15 L20 -13'
  const line = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
  const check = `<path d="${path}" ${line} stroke="#1f555c" stroke-width="25"/><path d="${path}" ${line} stroke="#fefefc" stroke-width="11"/>`
  return `<svg width="44" height="44" viewBox="-50 -50 100 100" aria-hidden="true"><circle r="50" fill="#d5dcd8"/><path d="${litPath(moonPhase(words, minimum))}" fill="${lit}"/>${warns ? '' : check}</svg>`
}

const faceRule = ({ family, range, data }: Face): string =>
  `@font-face{font-family:${family === 'serif' ? 'Literata' : 'Hanken'};font-weight:200 900;src:url(data:font/woff2;base64,${data}) format("woff2");unicode-range:${range}}`

const STYLE = `
:root{color-scheme:light;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;padding:36px 24px;background:#f0f2ef;color:#18211f;font:14px/20px Hanken,system-ui,sans-serif;overflow-wrap:anywhere}
main{box-sizing:border-box;max-width:720px;margin:auto;padding:40px 48px;border:1px solid #d3d9d5;border-radius:10px;background:#fefefc;box-shadow:0 1px 2px rgba(14,40,44,.06)}
header{display:flex;justify-content:space-between;align-items:center;gap:24px;padding-bottom:19px;border-bottom:1px solid #d3d9d5;font-size:13px}
.product{display:flex;align-items:center;gap:12px;font:500 20px/26px Literata,Georgia,serif}
h1{margin:26px 0 2px;font:500 30px/36px Literata,Georgia,serif;letter-spacing:-.01em}
p{margin:0}
.soft{color:#4a5653}
section{display:flex;align-items:center;gap:16px;margin:20px 0;padding:16px 18px;border:1px solid #d3d9d5;border-radius:6px;background:#f8f9f7;font-size:13px}
section svg{flex:none}
section strong{font-size:14px}
.figure{margin-left:auto;flex:none;text-align:right;color:#1f555c;font-weight:500}
.figure .soft{font-weight:400}
.figure b{margin-right:3px;font:500 24px/28px Literata,Georgia,serif;font-variant-numeric:lining-nums}
dl{margin:0}
dl div{display:grid;grid-template-columns:176px 1fr;gap:12px;padding:10px 0;border-bottom:1px solid #e4e8e4;break-inside:avoid}
dt{color:#4a5653}
dd{margin:0}
code{display:block;max-width:39ch;font:12.5px/19px ui-monospace,monospace}
strong{font-weight:600}
footer{padding-top:16px;color:#4a5653;font-size:13px;line-height:19px}
footer strong{color:#18211f}
@page{size:A4;margin:18mm}
@media print{body{padding:0;background:none}main{max-width:none;padding:0;border:0;box-shadow:none}}
`
