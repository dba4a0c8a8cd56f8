/** Runs `load` for the first caller and gives its result to all. After a failure the next caller tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= load().catch((error) => {
      result = null
      throw error
    })
    return result
  }
}
