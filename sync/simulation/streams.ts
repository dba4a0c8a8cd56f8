import { NoAnswer, type StreamRequest, type StreamTransport } from '../ports.ts'
import type { Agency } from './agency.ts'
import { type Fate, type Line, OFFLINE } from './network.ts'
import { type Page, within } from './page.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** The event streams between the pages of one browser profile and the server. */
export type Streams = {
  /** As one page opens them. */
  of(page: Page, personId: string): StreamTransport
  /** Those that are open now break off, and the pages know it. */
  cut(): void
  /** Open streams deliver nothing any more, without being closed. */
  deafen(): void
  /** How many this user's running pages have. */
  openOf(personId: string): number
  /** Whether one of those brings anything. */
  isHeardBy(personId: string): boolean
  /** The page is gone, and its streams with it. */
  release(page: Page): void
}

type Whose = { page: Page; personId: string }
type Open = Whose & { isDeaf: boolean; cut(): void }
type Asked = StreamRequest & { bearer?: string }

const LATENCY_MS = 40
const LOST: readonly Fate[] = ['offline', 'request-lost', 'answer-lost']
const PORTAL = '<html>Please accept our terms</html>'

export function createStreams(
  timeline: Timeline,
  { line, agency, random }: { line: Line; agency: Agency; random: Random },
): Streams {
  const open = new Set<Open>()

  /** Pieces arrive in order; a device that is cut off receives nothing more of a stream that looks open. */
  function bring(one: Open, heard: () => void): void {
    timeline.after(LATENCY_MS, () => {
      if (line.weather === OFFLINE) one.isDeaf = true
      if (open.has(one) && !one.isDeaf) one.page.run(heard)
    })
  }

  const latency = () => new Promise<void>((resolve) => timeline.after(LATENCY_MS, resolve))

  async function connect(whose: Whose, request: Asked): Promise<{ status: number }> {
    const answer = await agency.listen(request)
    if (answer === undefined) throw new NoAnswer()
    const { status, reader } = answer
    if (status !== 200 || reader === undefined) return { status }
    return new Promise((resolve, reject) => {
      function end(settle: () => void): void {
        open.delete(one)
        settle()
        void reader?.cancel().catch(() => {})
      }
      const cut = () => end(() => reject(new NoAnswer()))
      const one: Open = { ...whose, isDeaf: false, cut }
      open.add(one)
      void request.abandoned.then(cut)
      const decoder = new TextDecoder()
      async function read(): Promise<void> {
        const part = await reader?.read()
        if (part?.value === undefined) return bring(one, () => end(() => resolve({ status })))
        const text = decoder.decode(part.value, { stream: true })
        bring(one, () => request.heard(text))
        return read()
      }
      void read()
    })
  }

  async function ask(whose: Whose, request: Asked): Promise<{ status: number }> {
    const fate = random.weighted(line.weather)
    await latency()
    if (LOST.includes(fate)) throw new NoAnswer()
    if (fate === 'busy') return { status: 503 }
    if (fate === 'denied') return { status: 401 }
    if (fate !== 'portal') return connect(whose, request)
    whose.page.run(() => request.heard(PORTAL))
    return { status: 200 }
  }

  const ofPerson = (personId: string) =>
    [...open].filter((one) => one.personId === personId && one.page.isRunning())
  function cut(some: Iterable<Open>): void {
    for (const one of [...some]) one.cut()
  }

  return {
    of: (page, personId) => (request) =>
      page.isGone() ? new Promise(() => {}) : within(page, ask({ page, personId }, request)),
    cut: () => cut(open),
    deafen() {
      for (const one of open) one.isDeaf = true
    },
    openOf: (personId) => ofPerson(personId).length,
    isHeardBy: (personId) => ofPerson(personId).some(({ isDeaf }) => !isDeaf),
    release: (page) => cut([...open].filter((one) => one.page === page)),
  }
}
