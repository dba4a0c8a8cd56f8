import { type BrowserContext, test as base, expect } from '@playwright/test'

/** What the pages of this context were refused by their content security policy; grows while they run. */
export async function collectViolations(
  context: BrowserContext,
  violations: string[] = [],
): Promise<string[]> {
  // Both are on their way before anything that follows opens a page.
  await Promise.all([
    context.exposeBinding('reportViolation', (_, violation: string) => {
      violations.push(violation)
    }),
    context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { effectiveDirective, blockedURI, sourceFile, sample } = event
        const report = Reflect.get(window, 'reportViolation') as (violation: string) => void
        report(`${effectiveDirective} ${blockedURI} ${sourceFile} ${sample}`)
      })
    }),
  ])
  return violations
}

/**
 * Every test proves that no page of any of its contexts was refused anything by its own policy. A test
 * that makes a page be refused something takes that out of `policy`.
 */
export const test = base.extend<{ policy: string[] }>({
  policy: [
    async ({ browser }, use) => {
      const violations: string[] = []
      const watch = (context: BrowserContext) => void collectViolations(context, violations)
      browser.on('context', watch)
      await use(violations)
      browser.off('context', watch)
      expect(violations).toEqual([])
    },
    { auto: true },
  ],
})
