/** The script of web/screens/article/receipt/self-check/, built by scripts/self-check-file.ts. */
declare module 'virtual:self-check' {
  export const source: string
  /** For a Content-Security-Policy: 'sha256-…'. */
  export const digest: string
}
