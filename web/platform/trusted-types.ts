/** What the page needs of Trusted Types, which the DOM types do not describe. */
export type TrustedTypes = {
  createPolicy(
    name: string,
    rules: {
      createHTML?: (text: string) => string | null
      createScriptURL?: (url: string) => string | null
    },
  ): { createHTML(text: string): unknown; createScriptURL(url: string): unknown }
}

export const WORKER_URL = '/sw.js'

/**
 * The UI library fills its style elements through innerHTML, so a default policy has to exist; it accepts text without
 * '<', which cannot be markup, and nothing else. It throws, because the editor calls it first for pasted markup: an
 * empty string would be pasted, while after an error the editor reads the clipboard with its own policy, in a document
 * where no script runs.
 */
export function allowPlainTextOnly(trustedTypes: TrustedTypes | undefined): void {
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('Markup is not taken from text')
      return text
    },
  })
}

/**
 * Turns an address of `known` into the form that the browser takes for a worker. Any other address is
 * refused, so no text that came from elsewhere can ever be run.
 */
export function createWorkerUrls(
  trustedTypes: TrustedTypes | undefined,
  known: readonly string[],
): (url: string) => string {
  const policy = trustedTypes?.createPolicy('contun-sw', {
    createScriptURL: (url) => (known.includes(url) ? url : null),
  })
  return (url) => (policy ? (policy.createScriptURL(url) as string) : url)
}

/**
 * Parses the markup of a file that the user chose, into a document of its own: no script in it runs and nothing of it is
 * fetched. Its nodes must be read only, never put into the page.
 */
export function createMarkupParser(
  trustedTypes: TrustedTypes | undefined,
): (markup: string) => Document {
  const policy = trustedTypes?.createPolicy('contun-files', { createHTML: (markup) => markup })
  return (markup) =>
    new DOMParser().parseFromString((policy?.createHTML(markup) ?? markup) as string, 'text/html')
}
