import type { Role } from '../wire/users.ts'

/** The caller, with the role fixed at login (spec section 6). */
export type Viewer = { id: string; role: Role }

/**
 * Users, clients and the settings of articles are for admins only, and admins may read every article (spec section 6).
 */
export const isAdmin = (viewer: Pick<Viewer, 'role'>): boolean => viewer.role === 'admin'

/** Everyone with access to an article may complete it; only an admin reopens it (spec section 6). */
export const canReopenArticle = (viewer: Viewer): boolean => isAdmin(viewer)
