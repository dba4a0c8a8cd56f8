import type { ArticleClient } from './wire-articles.ts'
import type { Role } from './wire-users.ts'

/** Who asks, with the role fixed at login (spec section 6). */
export type Viewer = { id: string; role: Role }

type OwnedArticle = { clientId: Pick<ArticleClient, 'users'> | null; completed: boolean }

export const isAdmin = (viewer: Viewer): boolean => viewer.role === 'admin'

/**
 * A client's users list decides (spec section 6). A deleted client keeps the list it had, so its people
 * still read and write by direct link; an article without a client is for admins only.
 */
export function canReadArticle(viewer: Viewer, article: Pick<OwnedArticle, 'clientId'>): boolean {
  return isAdmin(viewer) || (article.clientId?.users.includes(viewer.id) ?? false)
}

/** A complete article is read-only for everybody; reopening it comes first. */
export function canEditText(viewer: Viewer, article: OwnedArticle): boolean {
  return canReadArticle(viewer, article) && !article.completed
}

/** Any user with access can mark an article complete (spec section 6). */
export const canCompleteArticle = canReadArticle

/** Only an admin can reopen a completed article (spec section 6). */
export const canReopenArticle = (viewer: Viewer): boolean => isAdmin(viewer)

/** Users, clients and the settings of articles are the agency's (spec section 6). */
export const canAdminister = (viewer: Viewer): boolean => isAdmin(viewer)
