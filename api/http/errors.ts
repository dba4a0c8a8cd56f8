export type Refusal = {
  /** Machine-readable case: article_completed, stale, invalid_document, ... */
  reason?: string
  /** Only with 412: the current state, as the JSON of a `StaleArticle` or a `Plan`. */
  current?: string
  /** Only of a list of articles: what it would do now, as the JSON of an `ArticleListAnswer`. */
  list?: string
  /** Only of a login that needs the second step: the JSON of a `SecondStepAsked`. */
  secondStep?: string
  headers?: Record<string, string>
}

/** Thrown anywhere in a request; one handler turns it into `{code, message, requestId}`. */
export class ApiError extends Error {
  readonly status: number
  readonly refusal: Refusal

  constructor(status: number, message: string, refusal: Refusal = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.refusal = refusal
  }
}

export const unauthenticated = () => new ApiError(401, 'Please authenticate')
export const forbidden = () => new ApiError(403, 'Forbidden')
export const articleNotFound = () => new ApiError(404, 'Article not found')

export const serverBusy = (seconds = 2) =>
  new ApiError(503, 'The server is busy. Please try again.', {
    headers: { 'Retry-After': String(seconds) },
  })
