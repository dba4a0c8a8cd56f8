/** What an article shows only when it is asked for, and what that asks for itself. */
export { fetchServerRevisions, fetchServerText } from '../../../sync/history/server-revisions.ts'
export { keepPresentText, markRestored, readVersions } from '../../../sync/history/versions.ts'
export { AgencyNotices } from './agency-notices/agency-notices.tsx'
export { ReopenReason } from './agency-notices/reopen-reason.tsx'
export { PrintHead } from './print-head.tsx'
export { ReviewPanel } from './review/review-panel.tsx'
export { VersionSheet } from './versions/version-sheet.tsx'
export { VersionsPanel } from './versions/versions-panel.tsx'
