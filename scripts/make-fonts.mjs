/**
 * Makes web/fonts/: subsets of the fonts of @fontsource-variable, and the style sheet with their faces. Run it after an
 * update of those. Their license, SIL OFL 1.1, also applies to the subsets.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)).join('')
/** Characters of the screens and of most texts, in the order of their code points. */
const FIRST = `${ASCII}\u00a0©·ÀÄÈÉÊÖ×Üßàâäçèéêëîïñôöùü–—‘’“”•…€`
/** The letter of the product's name, which only the extended Latin fonts have. */
const MACRON = 'Ūū'
/** Ranges of the axes that the style sheets use. Only the serif has optical sizes. */
const WEIGHTS = { min: 400, max: 700 }
const SIZES = { min: 12, max: 48 }
const FEATURES = 'calt ccmp clig kern liga lnum locl mark mkmk rlig rvrn tnum'.split(' ')

const SERIF = {
  file: 'literata',
  family: 'Literata Variable',
  style: 'normal',
  weights: '200 900',
  axis: 'opsz',
}
const SANS = {
  file: 'hanken-grotesk',
  family: 'Hanken Grotesk Variable',
  style: 'normal',
  weights: '100 900',
  axis: 'wght',
}
/** Italic with one weight and one optical size, for phrases of the interface; articles use the full italic. */
const PHRASE = { ...SERIF, family: 'Literata Phrase', style: 'italic' }
const PHRASES = { wght: 400, opsz: 18 }
const SUBSETS = [
  { font: SERIF, from: 'latin', name: 'first', text: FIRST, axes: { wght: WEIGHTS, opsz: SIZES } },
  { font: SANS, from: 'latin', name: 'first', text: FIRST, axes: { wght: WEIGHTS } },
  { font: PHRASE, from: 'latin', name: 'phrase', text: FIRST, axes: PHRASES },
  { font: SERIF, from: 'latin-ext', name: 'u-macron', text: MACRON, axes: {} },
  { font: SANS, from: 'latin-ext', name: 'u-macron', text: MACRON, axes: {} },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const faces = []
for (const { font, from, name, text, axes } of SUBSETS) {
  const folder = `${root}node_modules/@fontsource-variable/${font.file}/files`
  const full = readFileSync(`${folder}/${font.file}-${from}-${font.axis}-${font.style}.woff2`)
  const options = { targetFormat: 'woff2', variationAxes: axes, keepFeatures: FEATURES }
  const subset = await subsetFont(full, text, options)
  writeFileSync(`${root}web/fonts/${font.file}-${name}.woff2`, subset)
  faces.push(faceOf(font, name, text))
  console.log(`${font.file}-${name}: ${(subset.length / 1000).toFixed(1)} KB`)
}
writeFileSync(
  `${root}web/fonts/letters.css`,
  `/*
 * Made by scripts/make-fonts.mjs. These faces follow the full ones and so take precedence: a page fetches a full font only
 * for a text with other letters. Weights are those of the full faces, because browsers compare those before letters.
 */
${faces.join('\n')}`,
)

function faceOf({ file, family, style, weights }, name, text) {
  return `@font-face {
  font-family: "${family}";
  font-style: ${style};
  font-display: swap;
  font-weight: ${weights};
  src: url(./${file}-${name}.woff2) format("woff2-variations");
  unicode-range: ${rangesOf(text)};
}
`
}

function rangesOf(text) {
  const ranges = []
  for (const code of Array.from(text, (letter) => letter.codePointAt(0))) {
    const last = ranges.at(-1)
    if (last?.end === code - 1) last.end = code
    else ranges.push({ start: code, end: code })
  }
  const hex = (code) => code.toString(16).toUpperCase().padStart(4, '0')
  return ranges
    .map(({ start, end }) => `U+${hex(start)}${end > start ? `-${hex(end)}` : ''}`)
    .join(', ')
}
