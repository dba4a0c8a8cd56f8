import { type BrowserContext, test as base, expect } from '@playwright/test'

/** What the pages of this context were refused by their content security policy; grows while they run. */
export async function collectViolations(context: BrowserContext): Promise<string[]> {
  const violations: string[] = []
  await context.exposeBinding('reportViolation', (_, violation: string) => {
    violations.push(violation)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, sample } = event
      const report = Reflect.get(window, 'reportViolation') as (violation: string) => void
      report(`${effectiveDirective} ${blockedURI} ${sourceFile} ${sample}`)
    })
  })
  return violations
}

/** Every test of a page also proves that nothing of it was refused by its own policy. */
export const test = base.extend<{ policy: undefined }>({
  policy: [
    async ({ context }, use) => {
      const violations = await collectViolations(context)
      await use(undefined)
      expect(violations).toEqual([])
    },
    { auto: true },
  ],
})
