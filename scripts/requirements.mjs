import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listTests } from './list-tests.mjs'

/**
 * `npm run requirements`: writes docs/requirements.md and docs/faults.md. The texts of the items are in the JSON file
 * of the same name; the tests that show an item are those that carry its id as a tag.
 */

const DOCS = join(import.meta.dirname, '../docs')

const INTRODUCTIONS = {
  requirements: `# Requirements

What the product has to do, item by item, and the tests that show it. An item that reads on from the one above it says
"it" or "and".`,
  faults: `# Faults

What may go wrong between a key and the server, and the tests that show what happens then.`,
}

/** @returns {string[]} Every id, in the order of the documents. */
export function requirementIds() {
  return Object.keys(INTRODUCTIONS).flatMap((name) =>
    Object.values(sectionsOf(name)).flatMap((items) => Object.keys(items)),
  )
}

/** @param {ReturnType<typeof listTests>} tests @returns {{ path: string, text: string }[]} */
export function makeDocuments(tests) {
  return Object.keys(INTRODUCTIONS).map((name) => ({
    path: join(DOCS, `${name}.md`),
    text: makeDocument(name, tests),
  }))
}

function makeDocument(name, tests) {
  const source = `Made by \`npm run requirements\` from \`docs/${name}.json\` and the tags of the tests.`
  const sections = Object.entries(sectionsOf(name)).map(([title, items]) => {
    const rows = Object.entries(items).map(
      ([id, text]) => `| ${id} | ${text} | ${shownBy(`@${id}`, tests)} |`,
    )
    return [`## ${title}`, '', '| # | Item | Shown by |', '|---|---|---|', ...rows].join('\n')
  })
  return `${[INTRODUCTIONS[name], source, ...sections].join('\n\n')}\n`
}

function shownBy(tag, tests) {
  const titles = new Map()
  for (const { file, title, ownTags } of tests)
    if (ownTags.includes(tag))
      titles.set(file, [...(titles.get(file) ?? []), `"${escaped(title)}"`])
  return [...titles].map(([file, quoted]) => `\`${file}\` ${quoted.join(', ')}`).join('<br>')
}

/** What Markdown would take for a column, a tag or emphasis. */
function escaped(title) {
  return title.replace(/[|<*_\\`]/g, '\\$&')
}

function sectionsOf(name) {
  return JSON.parse(readFileSync(join(DOCS, `${name}.json`), 'utf8'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { path, text } of makeDocuments(listTests())) writeFileSync(path, text)
