import { createLucideIcon } from 'lucide-react'

/** Icons that the article page has too: imported, they would be in a file that every page fetches. */

export const RotateCcw = createLucideIcon('rotate-ccw', [
  ['path', { d: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', key: 'arc' }],
  ['path', { d: 'M3 3v5h5', key: 'arrow' }],
])

export const History = createLucideIcon('history', [
  ['path', { d: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', key: 'arc' }],
  ['path', { d: 'M3 3v5h5', key: 'arrow' }],
  ['path', { d: 'M12 7v5l4 2', key: 'hands' }],
])
