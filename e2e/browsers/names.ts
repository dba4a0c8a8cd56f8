/** The roles and names by which the stories find elements: the one place to change when a screen's text changes. */
export type Named = { role: string; name: string | RegExp; exact?: boolean }

const named = (role: string, name: string | RegExp): Named => ({ role, name })

export const names = {
  email: named('textbox', 'E-mail'),
  password: named('textbox', 'Password'),
  login: named('button', 'Login'),
  loginPage: named('heading', 'Login'),
  account: named('button', /account/),
  logout: named('menuitem', 'LOGOUT'),
  keepWork: named('menuitem', 'Keep offline work'),
  search: named('searchbox', 'Find an article'),
  incomplete: named('heading', /Incomplete Articles/),
  text: named('textbox', 'Article text'),
  savedHere: /(Saved|Kept) on this computer/,
  bold: named('button', 'Bold'),
  undo: named('button', 'Undo'),
  bulletList: named('button', 'Bullet list'),
  complete: named('button', 'Mark Complete'),
  confirm: named('checkbox', /Confirm/),
  confirmComplete: named('button', 'Complete Article'),
  completed: 'read-only',
  waiting: named('button', /on this computer/),
  copyText: named('button', 'Copy text'),
  copied: 'Text copied',
  download: named('button', /Download a copy/),
  keepAndLeave: named('button', /^Log out, keep unsent work/),
  adminArticles: named('heading', 'Articles'),
  adminSearch: named('searchbox', 'Search'),
  entitiesTab: named('tab', 'Entities'),
  modify: named('button', 'Modify'),
  imported: 'Upload successful',
  nothingKept: named('heading', 'Nothing can be kept here'),
  brokenPage: 'This page could not be shown',
  offlineOffer: 'may delete offline work when the disk is full',
}
