/** What an article shows only when it is asked for. */
export { ReviewPanel } from './review/review-panel.tsx'
export { VersionSheet } from './versions/version-sheet.tsx'
export { VersionsPanel } from './versions/versions-panel.tsx'
