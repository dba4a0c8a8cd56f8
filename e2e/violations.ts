import type { BrowserContext } from '@playwright/test'

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
