import { checkFile } from '../../../../../domain/text/text-check.ts'
import { createMarkupParser } from '../../../../platform/trusted-types.ts'
import { createFileReader, type FileReading } from '../files/file-reader.ts'
import { UnreadableFile } from '../files/zip.ts'
import { keyAddress } from '../receipt-body.ts'
import { savedReceiptIn } from '../saved-receipt.ts'
import { textWords, type VerdictWords } from '../verdict-words.ts'
import { readPlainHtml } from './plain-html.ts'
import { isSignatureRight, type SignedReceipt } from './verify-signature.ts'

/**
 * The script inside a saved receipt. It says whether the receipt was changed, and whether a file has the text that was
 * handed in, without a connection. All that it shows is set as text.
 */

const parse = createMarkupParser(undefined)
const readFile = createFileReader({
  parse,
  readHtml: (source) => [readPlainHtml(parse(source))],
  // Its parser is larger than all the rest of the file.
  readMarkdown() {
    throw new UnreadableFile()
  },
})

document.addEventListener('DOMContentLoaded', () => void checkPage())

async function checkPage(): Promise<void> {
  const receipt = savedReceiptIn(document, parse)?.receipt ?? null
  const isSigned = receipt?.format === 'contun-receipt-3'
  const words = isSigned ? await signatureWords(receipt) : SHOWS_OTHER
  const main = document.querySelector('main')
  const verdict = verdictElement()
  main?.before(verdict)
  showVerdict(verdict, words)
  if (isSigned && words.tone !== 'error') main?.after(fileCheck(receipt))
}

const CHANGED = 'This receipt was changed after it was issued.'
const SHOWS_OTHER: VerdictWords = {
  tone: 'error',
  title: CHANGED,
  line: 'What it shows does not fit its signed contents.',
}

async function signatureWords(receipt: SignedReceipt): Promise<VerdictWords> {
  const isRight = await isSignatureRight(receipt)
  if (isRight === null) {
    return {
      tone: 'warn',
      title: 'This browser can’t check the signature.',
      line: `Open this file in another browser, or check it in ${receipt.productName}.`,
    }
  }
  if (!isRight)
    return { tone: 'error', title: CHANGED, line: 'Its signature does not fit its contents.' }
  return {
    tone: 'ok',
    title: 'This receipt was not changed after it was signed.',
    line: `The signature is the agency’s if ${keyAddress(receipt)} lists the public key below.`,
  }
}

/** The place where a file of the article is dropped or chosen, and what comes of it. */
function fileCheck(receipt: SignedReceipt): HTMLElement {
  const place = document.createElement('div')
  place.className = 'place'
  place.setAttribute('role', 'region')
  place.setAttribute('aria-label', 'Check a file')
  const label = document.createElement('p')
  label.textContent =
    'Drop the article’s file here to see whether it is the text that was handed in.'
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.docx,.html,.htm,.txt'
  input.setAttribute('aria-label', 'The article’s file')
  const verdict = verdictElement()
  place.append(label, input, verdict)

  const check = async (file: File | undefined) => {
    if (file) showVerdict(verdict, await fileWords(file, receipt))
  }
  input.addEventListener('change', () => void check(input.files?.[0]))
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    void check(event.dataTransfer?.files[0])
  })
  return place
}

async function fileWords(file: File, receipt: SignedReceipt): Promise<VerdictWords> {
  const reading = await readFile(file)
  const words = typeof reading === 'string' ? FAULTS[reading] : readingWords(reading, receipt)
  return { ...words, title: `${file.name}: ${words.title}` }
}

const FAULTS: Record<Extract<Awaited<ReturnType<typeof readFile>>, string>, VerdictWords> = {
  unreadable: {
    tone: 'warn',
    title: 'This file can’t be read here. Try .docx, .html or .txt.',
    line: '',
  },
  'too-large': { tone: 'warn', title: 'This file is larger than 10 MB.', line: '' },
}

function readingWords(
  reading: FileReading,
  { number, textHash, wordsHash, productName }: SignedReceipt,
): VerdictWords {
  if (reading.kind === 'receipt')
    return { tone: 'warn', title: 'This is a receipt, not an article.', line: '' }
  const handedIn = { number, textHash, wordsHash, text: null }
  const { verdict } = checkFile(reading.readings, handedIn, [])
  const words = textWords(verdict, number)
  if (verdict.kind !== 'unknown') return words
  return { ...words, line: `Check a file in ${productName} shows where it differs.` }
}

function verdictElement(): HTMLElement {
  const element = document.createElement('p')
  element.className = 'verdict'
  element.setAttribute('role', 'status')
  return element
}

function showVerdict(element: HTMLElement, { tone, title, line }: VerdictWords): void {
  element.dataset.tone = tone
  const strong = document.createElement('strong')
  strong.textContent = title
  element.replaceChildren(strong, ' ', line)
}
