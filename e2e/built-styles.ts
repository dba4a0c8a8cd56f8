import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Declaration, parse, type Rule } from 'postcss'
import { BUILD } from './agency.ts'

/** A property and its value, as `CSS.supports` takes them. */
type Styling = [property: string, value: string]

/** What a rule says of one property: its value, and what an engine that does not know it uses in its place. */
type Declared = { selector: string; values: Styling[] }

const PREFIX = /^-(webkit|moz|ms|o)-/

/** What an engine may leave out, because a page without it is complete. */
const OPTIONAL = new Set([
  // Firefox has none of these: lines are divided between printed pages, and labels of the kit keep their height.
  'orphans',
  'widows',
  'text-box-trim',
  'text-box-edge',
  // WebKit has no forced colours.
  'forced-color-adjust',
])

/** No engine knows it: the kit's loader gives a time without a unit. */
const KIT: Styling = ['animation-delay', '0']

/** The declarations of the built styles that every engine must know, each with what is there for those that do not. */
export function builtDeclarations(): Declared[] {
  const folder = join(BUILD, 'public/assets')
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))
  return sheets.flatMap((name) => {
    const found: Declared[] = []
    parse(readFileSync(join(folder, name), 'utf8')).walkRules((rule) => {
      found.push(...declaredBy(rule))
    })
    return found
  })
}

function declaredBy({ selector, nodes }: Rule): Declared[] {
  const found = new Map<string, Styling[]>()
  for (const { prop, value } of nodes.filter((node): node is Declaration => node.type === 'decl')) {
    const property = prop.replace(PREFIX, '')
    found.set(property, [...(found.get(property) ?? []), [prop, value]])
  }
  return [...found.values()]
    .filter((values) =>
      values.some(([property]) => !PREFIX.test(property) && !OPTIONAL.has(property)),
    )
    .filter((values) => values.join() !== KIT.join())
    .map((values) => ({ selector, values }))
}

/** The declarations of which an engine uses no value. `test` runs in a page of it. */
export async function unusedIn(
  test: (inPage: typeof supports, stylings: Styling[]) => Promise<boolean[]>,
): Promise<string[]> {
  const declarations = builtDeclarations()
  const supported = await test(
    supports,
    declarations.flatMap(({ values }) => values),
  )
  let next = 0
  return declarations.flatMap(({ selector, values }) => {
    const isUsed = values.map(() => supported[next++]).includes(true)
    return isUsed ? [] : [`${selector} { ${values.map((one) => one.join(': ')).join('; ')} }`]
  })
}

/** With the values that the variables have in the page: a declaration with a variable is dropped only where it is used. */
function supports(stylings: Styling[]): boolean[] {
  const root = getComputedStyle(document.documentElement)
  const resolved = (value: string, depth = 0): string =>
    depth > 8
      ? value
      : value.replace(/var\((--[\w-]+)(?:,([^()]*))?\)/g, (all, name: string, fallback = '') => {
          const own = root.getPropertyValue(name) || fallback
          return own === '' ? all : resolved(own, depth + 1)
        })
  return stylings.map(([property, value]) => CSS.supports(property, resolved(value)))
}
