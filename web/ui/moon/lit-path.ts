/** Half an ellipse drawn by one cubic each way: control points at this part of the radius. */
const KAPPA = 0.5523

/**
 * The right half-circle joined to a half-ellipse that bulges right below one half and left above, so
 * that its area is k of the disc. The same commands for every k, so that a change can be animated.
 */
export function litPath(k: number): string {
  const x = (1 - 2 * Math.min(1, Math.max(0, k))) * 50
  const [bend, reach] = [x * KAPPA, 50 * KAPPA].map((length) => Number(length.toFixed(3)))
  return `M0 -50 A50 50 0 0 1 0 50 C${bend} 50 ${x} ${reach} ${x} 0 C${x} -${reach} ${bend} -50 0 -50 Z`
}
