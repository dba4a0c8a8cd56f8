export type Flag = ReturnType<typeof createFlag>

/** A flag that one task raises while another one works, which can also wait for it. */
export function createFlag() {
  let isRaised = false
  let notify = () => {}
  return {
    raise() {
      isRaised = true
      notify()
    },
    /** Lowers the flag. Returns whether it was raised. */
    lower() {
      const was = isRaised
      isRaised = false
      return was
    },
    isRaised: () => isRaised,
    /** Resolves when the flag is next raised. */
    raised: () =>
      new Promise<void>((resolve) => {
        notify = resolve
      }),
  }
}
