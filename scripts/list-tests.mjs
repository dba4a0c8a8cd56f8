import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['api', 'domain', 'e2e', 'scripts', 'sync', 'web']
/** How a test or a group of tests begins: `test`, `it.each(rows)`, `test.describe`, but not `test.use`. */
const MODIFIERS = ['each', 'for', 'runIf', 'skipIf', 'describe']

/**
 * Every test and describe, with the titles of those around it and the tags that it carries or inherits. `ownTags` are
 * those at the call: `tags` in Vitest, `tag` in Playwright. `isLong`: `npm run test:all` leaves it to `npm run test:long`.
 *
 * @returns {{ file: string, title: string, tags: string[], ownTags: string[], isGroup: boolean, isLong: boolean }[]}
 */
export function listTests() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((file) => /\.(test|spec|story)\.tsx?$/.test(file)),
  )
    .sort()
    .flatMap((file) => testsOf(file, readFileSync(join(ROOT, file), 'utf8')))
}

/** @param {string} file @param {string} code */
export function testsOf(file, code) {
  const tests = []
  const around = []
  new Visitor({
    CallExpression(call) {
      const own = testOf(call, code)
      if (own === null) return
      const outer = around.at(-1)
      const tags = [...(outer?.tags ?? []), ...own.ownTags]
      const title = outer ? `${outer.title} > ${own.title}` : own.title
      const isLong = tags.includes('@long') || file.endsWith('.story.ts')
      tests.push({ ...own, file, title, tags, isLong })
      if (own.isGroup) around.push({ call, title, tags })
    },
    'CallExpression:exit'(call) {
      if (around.at(-1)?.call === call) around.pop()
    },
  }).visit(parseSync(file, code).program)
  return tests
}

/** Null for any other call. */
function testOf({ callee, arguments: [title, options] }, code) {
  const [name, ...modifiers] = namesIn(callee)
  const isGroup = name === 'describe' || modifiers.includes('describe')
  if (!isGroup && name !== 'test' && name !== 'it') return null
  if (!modifiers.every((modifier) => MODIFIERS.includes(modifier))) return null
  if (title?.type !== 'TemplateLiteral' && typeof title?.value !== 'string') return null
  return { isGroup, title: textOf(title, code), ownTags: tagsIn(options) }
}

/** `test.each(rows)` is test, each. */
function namesIn(callee) {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type === 'CallExpression') return namesIn(callee.callee)
  if (callee.type !== 'MemberExpression') return []
  return [...namesIn(callee.object), callee.property.name]
}

function textOf(title, code) {
  return title.type === 'Literal' ? title.value : code.slice(title.start + 1, title.end - 1)
}

/** Those that are written out: a `@long` under a condition leaves one of the tests to `npm run test:all`. */
function tagsIn(options) {
  if (options?.type !== 'ObjectExpression') return []
  const tags = options.properties.find(({ key }) => key?.name === 'tags' || key?.name === 'tag')
  return (tags?.value.elements ?? []).flatMap((tag) => (tag.type === 'Literal' ? [tag.value] : []))
}
