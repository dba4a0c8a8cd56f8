import { escapedHtml } from '../../../../domain/exports/article-html.ts'
import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { type ReceiptNames, receiptBody } from './receipt-body.ts'
import { recordBody } from './record-body.ts'

/** A face inside the file; `data` is WOFF2 in base64. */
export type Face = { family: 'serif' | 'sans'; range: string; data: string }

/** The script with which the file checks itself. `digest` is the source expression for its hash in a policy. */
export type SelfCheck = { source: string; digest: string }

/** What a file has in addition to the receipt. It reads well without either. */
export type FileParts = {
  faces: readonly Face[]
  selfCheck: SelfCheck | null
  /** How the text was written, where the writer added that. */
  record: WritingRecord | null
}

/**
 * A receipt as one page of HTML that is read and printed without the product and without scripts: no address that is
 * fetched, faces included. It also has the receipt itself as JSON. One of the third format is checked by the script in
 * the file, earlier ones only by the server.
 */
export function receiptFile(
  receipt: Receipt,
  names: ReceiptNames,
  { faces, selfCheck, record }: FileParts,
): string {
  const check = receipt.format === 'contun-receipt-3' ? selfCheck : null
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(check)}">
<meta name="viewport" content="width=device-width">
<title>${escapedHtml(`${receipt.article.name} – receipt ${receipt.number}`)}</title>
<style>${faces.map(faceRule).join('')}${STYLE}</style>
${check ? `<script>${check.source}</script>\n` : ''}</head>
<body>
${receiptBody(receipt, names)}${record ? `\n${recordBody(record)}` : ''}
</body>
</html>
`
}

/** No request leaves the file, and no script runs but its own. */
const policyOf = (check: SelfCheck | null): string =>
  [
    "default-src 'none'",
    ...(check ? [`script-src '${check.digest}'`] : []),
    "style-src 'unsafe-inline'",
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

const faceRule = ({ family, range, data }: Face): string =>
  `@font-face{font-family:${family === 'serif' ? 'Literata' : 'Hanken'};font-weight:200 900;src:url(data:font/woff2;base64,${data}) format("woff2");unicode-range:${range}}`

const STYLE = `
:root{color-scheme:light;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;padding:36px 24px;background:#f0f2ef;color:#18211f;font:14px/20px Hanken,system-ui,sans-serif;overflow-wrap:anywhere}
main,article{box-sizing:border-box;max-width:720px;margin:auto;padding:40px 48px;border:1px solid #d3d9d5;border-radius:10px;background:#fefefc;box-shadow:0 1px 2px rgba(14,40,44,.06)}
header{display:flex;justify-content:space-between;align-items:center;gap:24px;padding-bottom:19px;border-bottom:1px solid #d3d9d5;font-size:13px}
.product{display:flex;align-items:center;gap:12px;font:500 20px/26px Literata,Georgia,serif}
article{margin-top:16px}
h2{margin:0 0 2px;font:500 20px/26px Literata,Georgia,serif}
table{width:100%;margin:16px 0;border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:8px 12px 8px 0;border-bottom:1px solid #e4e8e4;text-align:left;vertical-align:top;font-weight:400}
th{color:#4a5653}
tr{break-inside:avoid}
article p{font-size:13px;line-height:19px}
h1{margin:26px 0 2px;font:500 30px/36px Literata,Georgia,serif;letter-spacing:-.01em}
p{margin:0}
.soft{color:#4a5653}
section{display:flex;align-items:center;gap:16px;margin:20px 0;padding:16px 18px;border:1px solid #d3d9d5;border-radius:6px;background:#f8f9f7;font-size:13px}
section svg{flex:none}
section strong{font-size:14px}
.figure{margin-left:auto;flex:none;text-align:right;color:#1f555c;font-weight:500}
.figure[data-tone=warn]{color:#82540a}
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
footer,.verdict{overflow-wrap:anywhere}
.verdict,.place{box-sizing:border-box;max-width:720px;margin:0 auto 16px}
.verdict:not(:empty){padding:12px 18px;border:1px solid #d3d9d5;border-left:3px solid #1f555c;border-radius:6px;background:#fefefc;color:#4a5653}
.verdict strong{display:block;color:#18211f}
.verdict[data-tone=warn]{border-left-color:#dfa644}
.verdict[data-tone=error]{border-color:#f3bbb4;border-left-color:#ad352c;background:#fdf2f0}
.verdict[data-tone=error] strong{color:#8f2922}
.place{margin-top:16px;color:#4a5653}
.place p{margin-bottom:12px}
.place input{display:block;margin-bottom:16px;font:inherit}
@page{size:A4;margin:18mm}
@media print{.verdict,.place{display:none}body{padding:0;background:none}main,article{max-width:none;padding:0;border:0;box-shadow:none}article{margin-top:12mm}}
`
