import { NoAnswer, type Stream, type StreamTransport } from '../ports.ts'
import { type Authority, refreshTokens } from './authenticated-send.ts'

/** Streams with the bearer token of the stored session. A 401 leads to one refresh; the caller reopens the stream. */
export function createStream(authority: Authority, transport: StreamTransport): Stream {
  return async (request) => {
    const session = authority.session.read()
    const { userId = session?.user.id } = authority
    if (session === null || session.user.id !== userId) throw new NoAnswer('Nobody is signed in')
    const end = await transport({ ...request, bearer: session.tokens.access.token })
    if (end.status === 401) await refreshTokens(authority, session)
    return end
  }
}
