import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rules whose outcome depends on colours: all that another colour scheme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** No finding by axe on what the page shows now, or on its part `within`; all rules in the light scheme, those about colours in the dark one. */
export async function expectAccessible(
  page: Page,
  { within, scheme = 'light' }: { within?: string; scheme?: 'light' | 'dark' } = {},
): Promise<void> {
  // Without frames to merge findings from, axe needs no page of its own for that.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (within) axe.include(within)
  if (scheme === 'dark') axe.withRules(COLOUR_RULES)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
