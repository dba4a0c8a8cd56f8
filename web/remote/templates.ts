import type { Template } from '../../domain/wire/templates.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList } from './lists.ts'

/** The calls about templates of briefs. All reject with Refused or NoAnswer. */
export function createTemplates(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  return {
    list: async () => (await getList<Template>('/templates')).results,
    /** Copies from the article; replaces the template with this name. */
    save: async (name: string, articleId: string) =>
      void (await call('POST', '/templates', { name, articleId })),
    remove: async (id: string) =>
      void (await call('DELETE', `/templates/${encodeURIComponent(id)}`)),
  }
}
