import type { Template } from '../../domain/wire/templates.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'

/** The calls about templates of briefs. All reject with Refused or NoAnswer. */
export function createTemplates(send: Send) {
  const call = createCall(send)
  return {
    async list(): Promise<Template[]> {
      const { results } = Object(await call('GET', '/templates')) as { results?: unknown }
      if (!Array.isArray(results)) throw new NoAnswer()
      return results
    },
    /** Copies from the article; replaces the template with this name. */
    save: async (name: string, articleId: string) =>
      void (await call('POST', '/templates', { name, articleId })),
    remove: async (id: string) =>
      void (await call('DELETE', `/templates/${encodeURIComponent(id)}`)),
  }
}
