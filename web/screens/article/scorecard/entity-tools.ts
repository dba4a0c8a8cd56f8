/** What the scorecard does with entities beyond counting the used ones. Loaded on demand. */
export { CountedName, countWords, LinesLimit } from './entity-count.tsx'
export { showLines } from './entity-lines.ts'
export { followPlaces } from './entity-places.ts'
export { NearMissesCard } from './near-misses-card.tsx'

export type EntityTools = typeof import('./entity-tools.ts')
