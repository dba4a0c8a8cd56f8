import { expect, it } from 'vitest'
import { logoutTokenOf } from './logout-token.ts'

const SIGNATURE = 'Zm9yIHRoZSB0ZXN0cyBvbmx5LCAzMiBieXRlcyBsb25n'

it('names the session and the generation, and lets no signature be read', {
  tags: ['@Q84'],
}, () => {
  const token = logoutTokenOf(`5f3f0c7e-session.3.${SIGNATURE}`)
  expect(token).toMatch(/^5f3f0c7e-session\.3\.[\da-f]{64}$/)
  expect(token).not.toContain(SIGNATURE.slice(0, 8))
})

it('is another one for each signature, and the same for the same', { tags: ['@Q84'] }, () => {
  const [one, again, other] = ['s.1.a', 's.1.a', 's.1.b'].map(logoutTokenOf)
  expect(one).toBe(again)
  expect(one).not.toBe(other)
})
