/** From a key to the first task after its frame, by the page's own clock. */

const times = []
const frameDone = new MessageChannel()
let pressedAt = 0
frameDone.port1.onmessage = () => times.push(performance.now() - pressedAt)
addEventListener(
  'keydown',
  (event) => {
    pressedAt = event.timeStamp
    requestAnimationFrame(() => frameDone.port2.postMessage(null))
  },
  true,
)

/** The milliseconds of all keys since the last call. */
export const take = () => times.splice(0)
