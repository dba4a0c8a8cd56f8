/** Runs `work` once at a time. A call during a run makes another run follow, and resolves after it. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isAskedAgain = false

  async function runUntilIdle(): Promise<void> {
    try {
      while (isAskedAgain) {
        isAskedAgain = false
        await work()
      }
    } finally {
      // Not in a callback of the promise: a call before it would get the promise of a run that has ended.
      running = null
    }
  }

  return () => {
    isAskedAgain = true
    running ??= runUntilIdle()
    return running
  }
}
