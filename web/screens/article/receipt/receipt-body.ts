import { FILE_DATES } from '../../../../domain/calendar/file-dates.ts'
import { escapedHtml } from '../../../../domain/exports/article-html.ts'
import { countEntities } from '../../../../domain/keywords/keyword.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { canonicalJson } from '../../../../domain/text/canonical.ts'
import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { Names } from '../../../app/names.ts'
import { litPath } from '../../../ui/moon/lit-path.ts'
import { figure } from '../../../ui/words/figure.ts'
import { handedInText } from '../../../ui/words/minimum-text.ts'
import { openNotesIn } from './open-notes-in.ts'
import { changedSince, writersOf } from './receipt-authors.ts'

export type ReceiptNames = Pick<Names, 'productName' | 'agencyName'>

export const RECEIPT_ID = 'contun-receipt'

/**
 * What the page shows. It follows from the signed receipt, in English and UTC, so that a file whose words were changed is
 * found by writing it again. Receipts of the first two formats do not have the names of the product and the agency, so
 * those are given. `isFormer` writes the page of earlier releases, which named all authors under 'Written by',
 * and every group of entities also where there was none.
 */
export function receiptBody(receipt: Receipt, given: ReceiptNames, isFormer = false): string {
  const signed = receipt.format === 'contun-receipt-3' ? receipt : null
  const { productName, agencyName } = signed ?? given
  const { article, client, by, number, at, words, wordMinimum, groups } = receipt
  const writers = isFormer ? receipt.authors : writersOf(receipt)
  const since = isFormer ? null : changedSince(receipt)
  const openNotes = openNotesIn(receipt)
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
    ...(signed ? [['Public key', code(signed.key.publicKey)] as const] : []),
  ].map(([name = '', value = '']) => [name, value])
  return `<main>
<header><span class="product">${LOGO}<span data-name="product">${escapedHtml(productName)}</span></span><span class="soft">Receipt of a hand-in</span></header>
<h1>${isolated(article.name)}</h1>
${client === null ? '' : `<p class="soft">${isolated(client)}</p>`}
<section>${moon(words, wordMinimum)}<p><strong>Handed in${by ? ` by ${isolated(by.name)}` : ''}</strong><br><span class="soft">${FILE_DATES.date(at)}, ${FILE_DATES.timeWithSeconds(at)} (UTC) · hand-in ${number}</span></p>
<p class="figure" data-tone="${toneOf(words, wordMinimum)}"><b>${figure(words)}</b> ${words === 1 ? 'word' : 'words'}<br><span class="soft">${handedInText(words, wordMinimum)}${openNotes === null ? '' : `<br>${openNotes}`}</span></p></section>
<dl>
${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n')}
</dl>
<footer><strong>How to check it.</strong> In ${escapedHtml(productName)}, open the article, choose Receipt, then Check a file. Drop this file there to see whether the receipt was changed, or the article’s file to see whether it is exactly the text that was handed in.${signed ? ` The agency publishes this key and its former ones at ${escapedHtml(keyAddress(signed))}` : ''}</footer>
</main>
<pre id="${RECEIPT_ID}" hidden>${escapedHtml(canonicalJson(receipt))}</pre>`
}

/** Where the agency publishes its public keys. */
export const keyAddress = ({ agency }: Pick<Receipt, 'agency'>): string =>
  `${agency}/.well-known/contun-key`

/** A name of any script and direction, apart from the words around it. */
const isolated = (name: string): string => `<bdi>${escapedHtml(name)}</bdi>`

const namesIn = (names: readonly string[]): string => names.map(isolated).join(', ')

/** In groups of four signs. */
const code = (signs: string): string =>
  `<code>${escapedHtml(signs.match(/.{1,4}/g)?.join(' ') ?? '')}</code>`

const LOGO = `<svg width="24" height="24" viewBox="0 0 32 32" fill="#1f555c" aria-hidden="true"><path d="M22.3 9 A11.4 11.4 0 1 0 26.3 23 A9.1 9.1 0 1 1 22.3 9 Z"/><rect x="10.3" y="2" width="11.4" height="2.2" rx=".4"/></svg>`

const toneOf = (words: number, minimum: number): 'warn' | 'full' =>
  minimumVerdict(words, minimum) === 'warning' ? 'warn' : 'full'

function moon(words: number, minimum: number): string {
  const warns = toneOf(words, minimum) === 'warn'
  const lit = warns ? '#dfa644' : '#1f555c'
  const path = 'M-19 2 L-6 15 L20 -13'
  const line = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
  const check = `<path d="${path}" ${line} stroke="#1f555c" stroke-width="25"/><path d="${path}" ${line} stroke="#fefefc" stroke-width="11"/>`
  return `<svg width="44" height="44" viewBox="-50 -50 100 100" aria-hidden="true"><circle r="50" fill="#d5dcd8"/><path d="${litPath(moonPhase(words, minimum))}" fill="${lit}"/>${warns ? '' : check}</svg>`
}
