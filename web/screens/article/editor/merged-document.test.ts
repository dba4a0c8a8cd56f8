import { getSchema } from '@tiptap/core'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../../scripts/test-depth.ts'
import { merge3 } from '../../../../sync/merge/merge3.ts'
import { tripleOf } from '../../../../sync/simulation/merge-triples.ts'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'

const schema = getSchema(ARTICLE_EXTENSIONS)

test('what merging makes goes through the editor unchanged', { tags: ['@ED-22', '@SY-11'] }, () => {
  for (let seed = 0; seed < randomRuns(500); seed += 1) {
    const { base, mine, theirs } = tripleOf(seed)
    const { document } = merge3(base, mine, theirs)
    const shown = schema.nodeFromJSON(document)
    shown.check()
    expect(shown.toJSON()).toEqual(document)
  }
})
