/** A promise that resolves when `open` is called: for responses that arrive when the story says so. */
export function createGate(): [opened: Promise<void>, open: () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}
