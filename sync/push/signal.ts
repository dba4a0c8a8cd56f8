/** A flag that one task raises while another one works, which can also wait for it. */
export type Signal = {
  raise(): void
  /** Lowers the flag. Returns whether it was raised. */
  lower(): boolean
  isRaised(): boolean
  /** Resolves when the flag is next raised. */
  raised(): Promise<void>
}

export function createSignal(): Signal {
  let isRaised = false
  let notify = () => {}
  return {
    raise() {
      isRaised = true
      notify()
    },
    lower() {
      const was = isRaised
      isRaised = false
      return was
    },
    isRaised: () => isRaised,
    raised: () =>
      new Promise((resolve) => {
        notify = resolve
      }),
  }
}
