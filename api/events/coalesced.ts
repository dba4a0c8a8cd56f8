/** Runs `work` once at a time. A call during a run makes another run follow, and resolves after it. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isAskedAgain = false

  async function runUntilIdle(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false
      await work()
    }
  }

  return () => {
    isAskedAgain = true
    running ??= runUntilIdle().finally(() => {
      running = null
    })
    return running
  }
}
