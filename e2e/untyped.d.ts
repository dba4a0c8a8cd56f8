/** Packages of the tests that come without types. */

declare module 'commonmark' {
  export class Parser {
    parse(source: string): unknown
  }
  export class HtmlRenderer {
    render(parsed: unknown): string
  }
}
