/** A session outside the page's thread. Closing it stops its work. */
type SessionPort<Question> = { ask(question: Question): void; close(): void }

export type OpenSession<Question, Answer> = (listeners: {
  answer: (message: Answer) => void
  failed: () => void
}) => SessionPort<Question>

type Turned = { turn: number }
/** A question before it has its turn. */
export type Asked<Question> = Question extends unknown ? Omit<Question, 'turn'> : never

export type Turns<Question> = {
  isOpen(): boolean
  /** Ends the present session, if any, and begins another one. */
  open(question: Asked<Question>): void
  ask(question: Asked<Question>): void
  /** The response to the last question is not wanted any more. */
  forget(): void
  close(): void
}

/**
 * One session at a time. What responds to an earlier question, or is of an earlier session, is dropped; progress has no
 * turn.
 */
export function createTurns<Question extends Turned, Answer extends object>(
  openSession: OpenSession<Question, Answer>,
  listeners: { answer: (message: Answer) => void; failed: () => void },
): Turns<Question> {
  let current: SessionPort<Question> | null = null
  let turn = 0
  function ask(question: Asked<Question>): void {
    turn += 1
    current?.ask({ ...question, turn } as unknown as Question)
  }
  function close(): void {
    current?.close()
    current = null
  }
  return {
    isOpen: () => current !== null,
    open(question) {
      close()
      const opened = openSession({
        answer(message) {
          const isCurrent = !('turn' in message) || message.turn === turn
          if (current === opened && isCurrent) listeners.answer(message)
        },
        failed() {
          if (current === opened) listeners.failed()
        },
      })
      current = opened
      ask(question)
    },
    ask,
    forget() {
      turn += 1
    },
    close,
  }
}

/** Sessions that run in a worker each; closing one ends its worker in the middle of whatever it does. */
export function workerSession<Question, Answer>(
  openWorker: () => Worker,
): OpenSession<Question, Answer> {
  return ({ answer, failed }) => {
    const worker = openWorker()
    worker.onmessage = ({ data }: MessageEvent<Answer>) => answer(data)
    worker.onerror = failed
    return {
      ask: (question) => worker.postMessage(question),
      close: () => worker.terminate(),
    }
  }
}
