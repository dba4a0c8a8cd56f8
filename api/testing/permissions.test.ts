import { afterAll, describe, expect, it } from 'vitest'
import type { BatchAnswer } from '../../domain/wire/changes.ts'
import { errorSchema } from '../../domain/wire/errors.ts'
import type { Receipt } from '../../domain/wire/hand-ins.ts'
import type { Tokens } from '../../domain/wire/users.ts'
import { depth } from '../../scripts/test-depth.ts'
import { deleteArticle } from '../articles/deleted-article-rows.ts'
import type { Database } from '../deps.ts'
import { insertToken } from '../programs/program-token-rows.ts'
import { ROUTE_NAMES } from '../undelivered/route-names.ts'
import { type StartedServer, startServer } from './black-box/started-server.ts'
import { TEST_PASSWORD, type TestUser } from './test-app.ts'
import { copiesOf } from './test-database.ts'

/**
 * Who may do what, call by call (PE-12, PE-17). AN has no token. CU is not in the article's client, CA is. AD is an
 * admin. DEL was deleted and ST was demoted from admin while signed in: for DEL everything ends at once (PE-15), ST
 * keeps the role of the login (PE-14), except for accounts and members of clients (Q58). PR, made an admin while signed
 * in, is a CU until the next login. OUT, whose sessions were ended, may only sign in again.
 */
const columns = ['AN', 'CU', 'CA', 'AD', 'DEL', 'ST'] as const
const principals = [...columns, 'PR', 'OUT'] as const
type Principal = (typeof principals)[number]
/** `npm test` leaves out the two whose responses are those of others. */
const CALLERS: readonly Principal[] = depth === 'quick' ? columns : principals

function answerFor(who: Principal, route: string, answers: string): number {
  const beginsAnew = route.startsWith('POST /auth/') && !route.includes('refresh')
  const like = { PR: 'CU', OUT: beginsAnew ? 'CA' : 'DEL' } as const
  const column = who === 'PR' || who === 'OUT' ? like[who] : who
  return Number(answers.split(' ')[columns.indexOf(column)])
}
type Call = { method: 'get' | 'post' | 'put' | 'patch' | 'delete'; path: string; body?: unknown }
type Row = [
  route: string,
  answers: string,
  call: (world: World, who: Principal) => Call | Promise<Call>,
]
type World = Awaited<ReturnType<typeof createWorld>>

const text = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'New words.' }] }],
}
const keyword = { keyword: 'green coffee', source: 'E', score: 4, category: 'Must Use' }
const receipt: Receipt = {
  format: 'contun-receipt-1',
  agency: 'http://localhost',
  article: { id: '0195a000-0000-7000-8000-00000000ffff', name: 'A' },
  client: null,
  number: 1,
  at: '2026-03-02T09:00:00.000Z',
  by: null,
  authors: [],
  words: 1,
  wordMinimum: 0,
  groups: [],
  textVersion: 1,
  textHash: '',
  wordsHash: '',
  signature: '',
}
const newArticle = { name: 'New', clientId: null, wordMinimum: 1900, articleText: {} }
const MARGIN_NOTE = {
  kind: 'note',
  body: 'Which one?',
  anchor: { quote: 'word', before: '', after: '', block: 0, textVersion: 1 },
}
const plan = { brief: 'Prices.', dueOn: '2026-12-03' }
const newUser = { name: 'New', email: 'new@contun.example', password: TEST_PASSWORD, role: 'admin' }
const UNKNOWN = '0195a000-0000-7000-8000-00000000ffff'

const opened = (id: string) => ({ articles: [{ id, writing: false, blocks: [] }] })

const get = (path: string): Call => ({ method: 'get', path })
const post = (path: string, body: unknown): Call => ({ method: 'post', path, body })
const put = (path: string, body: unknown): Call => ({ method: 'put', path, body })
const patch = (path: string, body: unknown): Call => ({ method: 'patch', path, body })
const remove = (path: string): Call => ({ method: 'delete', path })
const patchSettings = (id: string, body: unknown): Call => patch(`/articles/admin/${id}`, body)
const patchClient = (id: string, body: unknown): Call => patch(`/clients/${id}`, body)
const bulk = (ids: string[], change: unknown): Call =>
  post('/articles/bulk', { dryRun: false, ids, change })
const sendUndelivered = (name: string, id: string): Call =>
  post(`/articles/${id}/${name}`, { articleText: text, reason: 'revoked' })
const patchArticle = (id: string, body: unknown): Call => patch(`/articles/${id}`, body)
const patchArticles = (...changes: unknown[]): Call => patch('/articles', { changes })

// biome-ignore format: a table reads by its columns.
const rows: Row[] = [
  //                                                      AN  CU  CA  AD  DEL ST
  ['POST /auth/login, own credentials',                   '200 200 200 200 401 200', (w, who) => post('/auth/login', w.credentials(who))],
  ['POST /auth/second-step, unknown ticket',              '403 403 403 403 403 403', () => post('/auth/second-step', { ticket: 'x', code: '000000' })],
  ['POST /auth/register',                                 '201 201 201 201 201 201', () => post('/auth/register', { name: 'New', email: 'new@contun.example', password: TEST_PASSWORD })],
  ['POST /auth/logout, own token',                        '204 204 204 204 204 204', (w, who) => post('/auth/logout', { refreshToken: w.refreshToken(who) })],
  ['POST /auth/refresh-tokens, own token',                '401 200 200 200 401 200', (w, who) => post('/auth/refresh-tokens', { refreshToken: w.refreshToken(who) })],
  ['POST /auth/forgot-password',                          '204 204 204 204 204 204', (w, who) => post('/auth/forgot-password', { email: w.credentials(who).email })],
  ['POST /auth/invitation, link of a reset',               '401 401 401 401 401 401', (w, who) => post('/auth/invitation', { token: w.resetToken(who) })],
  ['POST /auth/reset-password, own token',                '401 204 204 204 401 204', (w, who) => post('/auth/reset-password', { token: w.resetToken(who), password: 'another river of ink' })],

  ['GET /articles/client/myArticles',                     '401 200 200 200 401 200', () => get('/articles/client/myArticles')],
  ['GET /articles/client/copies',                         '401 200 200 200 401 200', (w) => get(`/articles/client/copies?ids=${w.live}`)],
  ['GET /articles/client/copies, bad query',              '401 400 400 400 401 400', () => get('/articles/client/copies?ids=x')],
  ['GET /articles/:id, live client',                      '401 404 200 200 401 200', (w) => get(`/articles/${w.live}`)],
  ['GET /articles/:id, complete',                         '401 404 200 200 401 200', (w) => get(`/articles/${w.complete}`)],
  ['GET /articles/:id, no client',                        '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}`)],
  ['GET /articles/:id, client deleted',                   '401 404 200 200 401 200', (w) => get(`/articles/${w.orphaned}`)],
  ['GET /articles/:id, unknown',                          '401 404 404 404 401 404', () => get(`/articles/${UNKNOWN}`)],
  ['GET /articles/:id, malformed',                        '401 404 404 404 401 404', () => get('/articles/1%20or%201')],
  ['PATCH /articles/:id, no client',                      '401 404 404 200 401 200', (w) => patchArticle(w.ownerless, { articleText: text })],
  ['PATCH /articles/:id, client deleted',                 '401 404 200 200 401 200', (w) => patchArticle(w.orphaned, { articleText: text })],
  ['PATCH /articles/:id, unknown',                        '401 404 404 404 401 404', () => patchArticle(UNKNOWN, { articleText: text })],
  ['PATCH /articles/:id, malformed',                      '401 404 404 404 401 404', () => patchArticle('x', { articleText: text })],
  ['PATCH /articles/:id text',                            '401 404 200 200 401 200', (w) => patchArticle(w.live, { articleText: text })],
  ['PATCH /articles/:id text, complete',                  '401 404 409 409 401 409', (w) => patchArticle(w.complete, { articleText: text })],
  ['PATCH /articles/:id complete it',                     '401 404 200 200 401 200', (w) => patchArticle(w.live, { completed: true })],
  ['PATCH /articles/:id complete it, is complete',        '401 404 200 200 401 200', (w) => patchArticle(w.complete, { completed: true })],
  ['PATCH /articles/:id text, complete it',               '401 404 200 200 401 200', (w) => patchArticle(w.live, { articleText: text, completed: true })],
  ['PATCH /articles/:id reopen it',                       '401 404 403 200 401 200', (w) => patchArticle(w.complete, { completed: false })],
  ['PATCH /articles/:id reopen it, is open',              '401 404 403 200 401 200', (w) => patchArticle(w.live, { completed: false })],
  ['PATCH /articles/:id reopen it, text',                 '401 404 403 200 401 200', (w) => patchArticle(w.complete, { completed: false, articleText: text })],
  ['PATCH /articles/:id name',                            '401 404 400 400 401 400', (w) => patchArticle(w.live, { name: 'Mine' })],
  ['PATCH /articles/:id clientId',                        '401 404 400 400 401 400', (w) => patchArticle(w.live, { clientId: null })],
  ['PATCH /articles/:id wordMinimum',                     '401 404 400 400 401 400', (w) => patchArticle(w.live, { wordMinimum: 0 })],
  ['PATCH /articles/:id keywordList',                     '401 404 400 400 401 400', (w) => patchArticle(w.live, { keywordList: [] })],
  ['PATCH /articles/:id id',                              '401 404 400 400 401 400', (w) => patchArticle(w.live, { id: UNKNOWN })],
  ['PATCH /articles/:id updatedAt',                       '401 404 400 400 401 400', (w) => patchArticle(w.live, { updatedAt: '2020-01-01T00:00:00.000Z' })],
  ['PATCH /articles/:id text, other',                     '401 404 400 400 401 400', (w) => patchArticle(w.live, { articleText: text, other: 1 })],
  ['GET /articles/:id/revisions',                         '401 404 200 200 401 200', (w) => get(`/articles/${w.live}/revisions`)],
  ['GET /articles/:id/revisions, client deleted',         '401 404 200 200 401 200', (w) => get(`/articles/${w.orphaned}/revisions`)],
  ['GET /articles/:id/revisions, no client',              '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/revisions`)],
  ['GET /articles/:id/revisions/:textVersion',            '401 404 200 200 401 200', (w) => get(`/articles/${w.live}/revisions/1`)],
  ['GET /articles/:id/revisions/:textVersion, no client', '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/revisions/1`)],
  ['POST /articles/:id/revisions/:textVersion/restore',               '401 404 200 200 401 200', (w) => post(`/articles/${w.live}/revisions/1/restore`, {})],
  ['POST /articles/:id/revisions/:textVersion/restore, unknown',      '401 404 404 404 401 404', (w) => post(`/articles/${w.live}/revisions/9/restore`, {})],
  ['POST /articles/:id/revisions/:textVersion/restore, no client',    '401 404 404 200 401 200', (w) => post(`/articles/${w.ownerless}/revisions/1/restore`, {})],
  ['POST /articles/:id/revisions/:textVersion/restore, complete',     '401 404 409 409 401 409', (w) => post(`/articles/${w.complete}/revisions/1/restore`, {})],

  ['GET /articles/:id/hand-ins',                          '401 404 200 200 401 200', (w) => get(`/articles/${w.complete}/hand-ins`)],
  ['GET /articles/:id/hand-ins, client deleted',          '401 404 200 200 401 200', (w) => get(`/articles/${w.orphaned}/hand-ins`)],
  ['GET /articles/:id/hand-ins, no client',               '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/hand-ins`)],
  ['GET /articles/:id/hand-ins, unknown',                 '401 404 404 404 401 404', () => get(`/articles/${UNKNOWN}/hand-ins`)],
  ['POST /hand-ins/verify',                               '401 200 200 200 401 200', () => post('/hand-ins/verify', { receipt })],
  ['POST /hand-ins/verify, no receipt',                   '401 400 400 400 401 400', () => post('/hand-ins/verify', { receipt: { ...receipt, number: 'x' } })],
  ['GET /articles/:id/notes',                             '401 404 200 200 401 200', (w) => get(`/articles/${w.live}/notes`)],
  ['GET /articles/:id/notes, no client',                  '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/notes`)],
  ['POST /articles/:id/notes answer',                     '401 404 201 201 401 201', (w) => post(`/articles/${w.live}/notes`, { kind: 'answer', body: 'Done.' })],
  ['POST /articles/:id/notes answer, complete',           '401 404 201 201 401 201', (w) => post(`/articles/${w.complete}/notes`, { kind: 'answer', body: 'Done.' })],
  ['POST /articles/:id/notes reopened',                   '401 404 403 201 401 201', (w) => post(`/articles/${w.live}/notes`, { kind: 'reopened', body: 'Prices.' })],
  ['POST /articles/:id/notes note',                       '401 404 201 201 401 201', (w) => post(`/articles/${w.live}/notes`, MARGIN_NOTE)],
  ['POST /articles/:id/notes note, complete',             '401 404 201 201 401 201', (w) => post(`/articles/${w.complete}/notes`, MARGIN_NOTE)],
  ['PATCH /articles/:id/notes/:ref done',                 '401 404 200 200 401 200', (w) => patch(`/articles/${w.live}/notes/margin`, { done: true })],
  ['PATCH /articles/:id/notes/:ref of another',           '401 404 403 403 401 403', (w) => patch(`/articles/${w.live}/notes/margin`, { takenBack: true })],
  ['PATCH /articles/:id/notes/:ref, unknown',             '401 404 404 404 401 404', (w) => patch(`/articles/${w.live}/notes/other`, { done: true })],
  ['POST /articles/:id/notes, no client',                 '401 404 404 201 401 201', (w) => post(`/articles/${w.ownerless}/notes`, { kind: 'answer', body: 'Done.' })],
  ['POST /articles/:id/notes, unknown',                   '401 404 404 404 401 404', () => post(`/articles/${UNKNOWN}/notes`, { kind: 'answer', body: 'Done.' })],
  ['POST /articles/:id/notes, empty',                     '401 404 400 400 401 400', (w) => post(`/articles/${w.live}/notes`, { kind: 'answer', body: ' ' })],

  ['GET /articles/:id/plan',                              '401 404 200 200 401 200', (w) => get(`/articles/${w.live}/plan`)],
  ['GET /articles/:id/plan, client deleted',              '401 404 200 200 401 200', (w) => get(`/articles/${w.orphaned}/plan`)],
  ['GET /articles/:id/plan, no client',                   '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/plan`)],
  ['GET /articles/:id/plan, deleted',                     '401 404 404 404 401 404', (w) => get(`/articles/${w.deletedArticle}/plan`)],
  ['GET /articles/:id/plan, malformed',                   '401 404 404 404 401 404', () => get('/articles/x/plan')],
  ['PUT /articles/:id/plan',                              '401 404 403 200 401 200', (w) => put(`/articles/${w.live}/plan`, plan)],
  ['PUT /articles/:id/plan, complete',                    '401 404 403 200 401 200', (w) => put(`/articles/${w.complete}/plan`, plan)],
  ['PUT /articles/:id/plan, the same',                    '401 404 403 200 401 200', (w) => put(`/articles/${w.live}/plan`, { brief: '', dueOn: null })],
  ['PUT /articles/:id/plan, no client',                   '401 404 404 200 401 200', (w) => put(`/articles/${w.ownerless}/plan`, plan)],
  ['PUT /articles/:id/plan, unknown',                     '401 404 404 404 401 404', () => put(`/articles/${UNKNOWN}/plan`, plan)],
  ['PUT /articles/:id/plan, malformed',                   '401 404 404 404 401 404', () => put('/articles/x/plan', plan)],
  ['PUT /articles/:id/plan, other',                       '401 404 403 400 401 400', (w) => put(`/articles/${w.live}/plan`, { ...plan, counter: 1 })],

  ['GET /articles/:id/log',                                '401 404 200 200 401 200', (w) => get(`/articles/${w.live}/log`)],
  ['GET /articles/:id/log, client deleted',                '401 404 200 200 401 200', (w) => get(`/articles/${w.orphaned}/log`)],
  ['GET /articles/:id/log, no client',                     '401 404 404 200 401 200', (w) => get(`/articles/${w.ownerless}/log`)],
  ['GET /articles/:id/log, deleted',                       '401 404 404 404 401 404', (w) => get(`/articles/${w.deletedArticle}/log`)],
  ['GET /articles/:id/log, unknown',                       '401 404 404 404 401 404', () => get(`/articles/${UNKNOWN}/log`)],
  ['GET /articles/:id/log, malformed',                     '401 404 404 404 401 404', () => get('/articles/x/log')],
  ['GET /articles/:id/log, bad query',                     '401 404 400 400 401 400', (w) => get(`/articles/${w.live}/log?page=0`)],
  ['GET /log',                                             '401 403 403 200 401 200', () => get('/log?kind=users')],
  ['GET /log, bad query',                                  '401 403 403 400 401 400', () => get('/log?kind=password')],

  ['GET /events',                                          '401 200 200 200 401 200', () => get('/events')],
  // Of an article that the caller may not read the report is taken, and no page is notified (api/presence/presence.test.ts).
  ['PUT /presence, live client',                           '401 204 204 204 401 204', (w) => put('/presence', opened(w.live))],
  ['PUT /presence, no client',                             '401 204 204 204 401 204', (w) => put('/presence', opened(w.ownerless))],
  ['PUT /presence, unknown',                               '401 204 204 204 401 204', () => put('/presence', opened(UNKNOWN))],
  ['PUT /presence, malformed',                             '401 400 400 400 401 400', () => put('/presence', opened('x'))],
  ['PUT /presence, other',                                 '401 400 400 400 401 400', (w) => put('/presence', { ...opened(w.live), userId: UNKNOWN })],

  ['PATCH /articles',                                      '401 200 200 200 401 200', (w) => patchArticles({ id: w.live, body: { articleText: text } })],
  ['PATCH /articles, no client',                           '401 200 200 200 401 200', (w) => patchArticles({ id: w.ownerless, body: { completed: false } })],
  ['PATCH /articles, none',                                '401 400 400 400 401 400', () => patchArticles()],
  ['PATCH /articles, other',                               '401 400 400 400 401 400', (w) => patchArticles({ id: w.live, body: { articleText: text }, other: 1 })],
  ['GET /articles',                                        '401 403 403 200 401 200', () => get('/articles?sortBy=name:desc')],
  ['GET /articles, bad query',                             '401 403 403 400 401 400', () => get('/articles?sortBy=password')],
  ['POST /articles, no client',                            '401 403 403 201 401 201', () => post('/articles', newArticle)],
  ['POST /articles, live client',                          '401 403 403 201 401 201', (w) => post('/articles', { ...newArticle, clientId: w.client })],
  ['POST /articles, client deleted',                       '401 403 403 400 401 400', (w) => post('/articles', { ...newArticle, clientId: w.gone })],
  ['POST /articles, client unknown',                       '401 403 403 400 401 400', () => post('/articles', { ...newArticle, clientId: UNKNOWN })],
  ['POST /articles, completed',                            '401 403 403 400 401 400', () => post('/articles', { ...newArticle, completed: true })],
  ['POST /articles/list, dry run',                         '401 403 403 200 401 200', () => post('/articles/list', { dryRun: true, articles: [{ name: 'New' }] })],
  ['POST /articles/list, no plan',                         '401 403 403 409 401 409', () => post('/articles/list', { dryRun: false, articles: [{ name: 'New' }] })],
  ['POST /articles/list, none',                            '401 403 403 400 401 400', () => post('/articles/list', { dryRun: true, articles: [] })],
  ['PATCH /articles/admin/:id name',                       '401 403 403 200 401 200', (w) => patchSettings(w.live, { name: 'Theirs' })],
  ['PATCH /articles/admin/:id clientId null',              '401 403 403 200 401 200', (w) => patchSettings(w.live, { clientId: null })],
  ['PATCH /articles/admin/:id wordMinimum',                '401 403 403 200 401 200', (w) => patchSettings(w.live, { wordMinimum: 1 })],
  ['PATCH /articles/admin/:id keywordList',                '401 403 403 200 401 200', (w) => patchSettings(w.live, { keywordList: [keyword] })],
  ['PATCH /articles/admin/:id clientId, no client',        '401 403 403 200 401 200', (w) => patchSettings(w.ownerless, { clientId: w.client })],
  ['PATCH /articles/admin/:id clientId, client deleted',   '401 403 403 200 401 200', (w) => patchSettings(w.orphaned, { clientId: w.client })],
  ['PATCH /articles/admin/:id clientId of deleted',        '401 403 403 400 401 400', (w) => patchSettings(w.live, { clientId: w.gone })],
  ['PATCH /articles/admin/:id articleText',                '401 403 403 400 401 400', (w) => patchSettings(w.live, { articleText: text })],
  ['PATCH /articles/admin/:id name, completed',            '401 403 403 400 401 400', (w) => patchSettings(w.live, { name: 'Theirs', completed: true })],
  ['PATCH /articles/admin/:id nothing',                    '401 403 403 400 401 400', (w) => patchSettings(w.live, {})],
  ['PATCH /articles/admin/:id, unknown',                   '401 403 403 404 401 404', () => patchSettings(UNKNOWN, { name: 'Theirs' })],
  ['PATCH /articles/admin/:id, malformed',                 '401 403 403 404 401 404', () => patchSettings('x', { name: 'Theirs' })],
  ['GET /articles/admin/counts',                           '401 403 403 200 401 200', () => get('/articles/admin/counts?name=o')],
  ['POST /articles/admin/:id/restore, is there',           '401 403 403 200 401 200', (w) => post(`/articles/admin/${w.live}/restore`, {})],
  ['POST /articles/admin/:id/restore, deleted',            '401 403 403 200 401 200', (w) => post(`/articles/admin/${w.deletedArticle}/restore`, {})],
  ['POST /articles/admin/:id/restore, unknown',            '401 403 403 404 401 404', () => post(`/articles/admin/${UNKNOWN}/restore`, {})],
  ['POST /articles/admin/:id/restore, malformed',          '401 403 403 404 401 404', () => post('/articles/admin/x/restore', {})],
  ['POST /articles/bulk dueOn',                            '401 403 403 200 401 200', (w) => bulk([w.live, w.ownerless], { dueOn: '2026-12-03' })],
  ['POST /articles/bulk wordMinimum',                      '401 403 403 200 401 200', (w) => bulk([w.live, w.complete], { wordMinimum: 1 })],
  ['POST /articles/bulk clientId',                         '401 403 403 200 401 200', (w) => bulk([w.live, w.orphaned], { clientId: w.client })],
  ['POST /articles/bulk clientId of deleted',              '401 403 403 400 401 400', (w) => bulk([w.live], { clientId: w.gone })],
  ['POST /articles/bulk, deleted',                         '401 403 403 404 401 404', (w) => bulk([w.live, w.deletedArticle], { clientId: null })],
  ['POST /articles/bulk, unknown',                         '401 403 403 404 401 404', (w) => bulk([w.live, UNKNOWN], { clientId: null })],
  ['POST /articles/bulk, other',                           '401 403 403 400 401 400', (w) => bulk([w.live], { name: 'Theirs' })],
  ['DELETE /articles/:id',                                 '401 403 403 204 401 204', (w) => remove(`/articles/${w.live}`)],
  ['DELETE /articles/:id, client deleted',                 '401 403 403 204 401 204', (w) => remove(`/articles/${w.orphaned}`)],
  ['DELETE /articles/:id, unknown',                        '401 403 403 404 401 404', () => remove(`/articles/${UNKNOWN}`)],
  ['DELETE /articles/:id, malformed',                      '401 403 403 404 401 404', () => remove('/articles/x')],

  ...ROUTE_NAMES.flatMap((name): Row[] => [
    [`POST /articles/:id/${name}`,                           '401 404 201 201 401 201', (w) => sendUndelivered(name, w.live)],
    [`POST /articles/:id/${name}, complete`,                 '401 404 201 201 401 201', (w) => sendUndelivered(name, w.complete)],
    [`POST /articles/:id/${name}, client deleted`,           '401 404 201 201 401 201', (w) => sendUndelivered(name, w.orphaned)],
    [`POST /articles/:id/${name}, no client`,                '401 404 404 201 401 201', (w) => sendUndelivered(name, w.ownerless)],
    [`POST /articles/:id/${name}, unknown`,                  '401 404 404 404 401 404', () => sendUndelivered(name, UNKNOWN)],
    [`POST /articles/:id/${name}, malformed`,                '401 404 404 404 401 404', () => sendUndelivered(name, 'x')],
    [`POST /articles/:id/${name}, no text`,                  '401 404 400 400 401 400', (w) => post(`/articles/${w.live}/${name}`, { reason: 'completed' })],
    [`GET /${name}`,                                         '401 403 403 200 401 200', () => get(`/${name}?done=false`)],
    [`GET /${name}/:id`,                                     '401 403 403 200 401 200', (w) => get(`/${name}/${w.undelivered}`)],
    [`GET /${name}/:id, unknown`,                            '401 403 403 404 401 404', () => get(`/${name}/${UNKNOWN}`)],
    [`PATCH /${name}/:id`,                                   '401 403 403 200 401 200', (w) => patch(`/${name}/${w.undelivered}`, { done: true })],
    [`PATCH /${name}/:id, unknown`,                          '401 403 403 404 401 404', () => patch(`/${name}/${UNKNOWN}`, { done: true })],
    [`PATCH /${name}/:id, other`,                            '401 403 403 400 401 400', (w) => patch(`/${name}/${w.undelivered}`, { done: true, words: 0 })],
  ]),
  ['GET /home',                                            '401 403 403 200 401 200', () => get('/home?today=2026-03-02T00:00:00Z')],
  ['GET /progress',                                        '401 403 403 200 401 200', () => get('/progress?due=late')],
  ['GET /hand-ins',                                        '401 403 403 200 401 200', () => get('/hand-ins?month=2026-03')],
  ['GET /home, bad query',                                 '401 403 403 400 401 400', () => get('/home?today=yesterday')],

  ['GET /clients',                                         '401 403 403 200 401 200', () => get('/clients?moonOwlClient=false')],
  ['POST /clients',                                        '401 403 403 201 401 201', () => post('/clients', { name: 'New' })],
  ['POST /clients, other',                                 '401 403 403 400 401 400', () => post('/clients', { name: 'New', moonOwlClient: true })],
  ['PATCH /clients/:id name',                              '401 403 403 200 401 200', (w) => patchClient(w.client, { name: 'New' })],
  ['PATCH /clients/:id moonOwlClient',                     '401 403 403 200 401 200', (w) => patchClient(w.client, { moonOwlClient: true })],
  ['PATCH /clients/:id users',                             '401 403 403 200 401 403', (w) => patchClient(w.client, { users: [w.other.id] })],
  ['PATCH /clients/:id users, himself',                    '401 403 403 200 401 403', (w, who) => patchClient(w.client, { users: [w.idOf(who)] })],
  ['PATCH /clients/:id users and name',                    '401 403 403 200 401 403', (w) => patchClient(w.client, { name: 'New', users: [] })],
  ['PATCH /clients/:id users, the same, and name',         '401 403 403 200 401 200', (w) => patchClient(w.client, { name: 'New', users: w.members })],
  ['PATCH /clients/:id users, unknown',                    '401 403 403 400 401 403', (w) => patchClient(w.client, { name: 'New', users: [UNKNOWN] })],
  ['PATCH /clients/:id other',                             '401 403 403 400 401 400', (w) => patchClient(w.client, { name: 'New', id: UNKNOWN })],
  ['PATCH /clients/:id, deleted',                          '401 403 403 404 401 404', (w) => patchClient(w.gone, { users: [] })],
  ['PATCH /clients/:id, unknown',                          '401 403 403 404 401 404', () => patchClient(UNKNOWN, { name: 'New' })],
  ['PATCH /clients/:id, malformed',                        '401 403 403 404 401 404', () => patchClient('x', { name: 'New' })],
  ['DELETE /clients/:id',                                  '401 403 403 204 401 204', (w) => remove(`/clients/${w.client}`)],
  ['DELETE /clients/:id, deleted',                         '401 403 403 404 401 404', (w) => remove(`/clients/${w.gone}`)],
  ['DELETE /clients/:id, unknown',                         '401 403 403 404 401 404', () => remove(`/clients/${UNKNOWN}`)],

  // A token of a program is none of a session, and the other way round (api/programs/program-tokens.test.ts).
  ['GET /hand-overs',                                      '401 401 401 401 401 401', () => get('/hand-overs')],
  ['GET /hand-overs, bad query',                           '401 401 401 401 401 401', () => get('/hand-overs?since=x')],
  ['GET /templates',                                       '401 403 403 200 401 200', () => get('/templates')],
  ['POST /templates',                                      '401 403 403 201 401 201', (w) => post('/templates', { name: 'New', articleId: w.live })],
  ['POST /templates, unknown article',                     '401 403 403 404 401 404', () => post('/templates', { name: 'New', articleId: UNKNOWN })],
  ['DELETE /templates/:id, unknown',                       '401 403 403 404 401 404', () => remove(`/templates/${UNKNOWN}`)],
  ['GET /program-tokens',                                  '401 403 403 200 401 200', () => get('/program-tokens')],
  ['POST /program-tokens',                                 '401 403 403 201 401 403', (w) => post('/program-tokens', { name: 'New', clientIds: [w.client], days: 1 })],
  ['POST /program-tokens, deleted client',                 '401 403 403 400 401 403', (w) => post('/program-tokens', { name: 'New', clientIds: [w.gone], days: 1 })],
  ['POST /program-tokens, other',                          '401 403 403 400 401 403', (w) => post('/program-tokens', { name: 'New', clientIds: [w.client], days: 1, digest: '' })],
  ['POST /program-tokens/:id/owner',                       '401 403 403 200 401 403', (w) => post(`/program-tokens/${w.programToken}/owner`, {})],
  ['POST /program-tokens/:id/owner, unknown',              '401 403 403 404 401 403', () => post(`/program-tokens/${UNKNOWN}/owner`, {})],
  ['DELETE /program-tokens/:id',                           '401 403 403 204 401 403', (w) => remove(`/program-tokens/${w.programToken}`)],
  ['DELETE /program-tokens/:id, unknown',                  '401 403 403 404 401 403', () => remove(`/program-tokens/${UNKNOWN}`)],
  ['DELETE /program-tokens/:id, malformed',                '401 403 403 404 401 403', () => remove('/program-tokens/x')],

  ['GET /users',                                           '401 403 403 200 401 200', () => get('/users')],
  ['POST /users',                                          '401 403 403 201 401 403', () => post('/users', newUser)],
  ['POST /users, taken e-mail',                            '401 403 403 400 401 403', (w) => post('/users', { ...newUser, email: w.other.email })],
  ['POST /users, other',                                   '401 403 403 400 401 403', () => post('/users', { ...newUser, isEmailVerified: true })],
  ['PATCH /users/:userId password, self',                 '401 200 200 200 401 200', (w, who) => patch(`/users/${w.idOf(who)}`, { password: 'another river of ink' })],
  ['PATCH /users/:userId name, self',                     '401 403 403 200 401 403', (w, who) => patch(`/users/${w.idOf(who)}`, { name: 'Somebody Else' })],
  ['PATCH /users/:userId role, self',                     '401 403 403 200 401 403', (w, who) => patch(`/users/${w.idOf(who)}`, { role: 'admin' })],
  ['PATCH /users/:userId role and password, self',        '401 403 403 200 401 403', (w, who) => patch(`/users/${w.idOf(who)}`, { role: 'admin', password: 'another river of ink' })],
  ['PATCH /users/:userId password, other',                '401 403 403 200 401 403', (w) => patch(`/users/${w.other.id}`, { password: 'another river of ink' })],
  ['PATCH /users/:userId name, other',                    '401 403 403 200 401 403', (w) => patch(`/users/${w.other.id}`, { name: 'Somebody Else' })],
  ['PATCH /users/:userId, unknown',                       '401 403 403 404 401 403', () => patch(`/users/${UNKNOWN}`, { name: 'Nobody' })],
  ['PATCH /users/:userId role, other',                     '401 403 403 200 401 403', (w) => patch(`/users/${w.other.id}`, { role: 'admin' })],
  ['PATCH /users/:userId role, an admin',                  '401 403 403 200 401 403', (w) => patch(`/users/${w.second.id}`, { role: 'user' })],
  ['PATCH /users/:userId role, the last admin',            '401 403 403 409 401 403', async (w) => patch(`/users/${await w.lastAdmin()}`, { role: 'user' })],
  ['DELETE /users/:userId, other',                         '401 403 403 204 401 403', (w) => remove(`/users/${w.other.id}`)],
  ['DELETE /users/:userId, self',                          '401 403 403 204 401 403', (w, who) => remove(`/users/${w.idOf(who)}`)],
  ['DELETE /users/:userId, the last admin',                '401 403 403 409 401 403', async (w) => remove(`/users/${await w.lastAdmin()}`)],
  ['DELETE /users/:userId, unknown',                       '401 403 403 404 401 403', () => remove(`/users/${UNKNOWN}`)],
  ['DELETE /users/:userId/sessions, other',                '401 403 403 204 401 403', (w) => remove(`/users/${w.other.id}/sessions`)],
  ['DELETE /users/:userId/sessions, self',                 '401 403 403 204 401 403', (w, who) => remove(`/users/${w.idOf(who)}/sessions`)],
  ['DELETE /users/:userId/sessions, unknown',              '401 403 403 404 401 403', () => remove(`/users/${UNKNOWN}/sessions`)],
  ['POST /users/list, dry run',                            '401 403 403 200 401 403', () => post('/users/list', { dryRun: true, people: [{ name: 'New', email: 'new@contun.example' }] })],
  ['POST /users/list, no plan',                            '401 403 403 409 401 403', () => post('/users/list', { dryRun: false, people: [{ name: 'New', email: 'new@contun.example' }] })],
  ['POST /users/list, none',                               '401 403 403 400 401 403', () => post('/users/list', { dryRun: true, people: [] })],
  ['POST /users/:userId/invitation, other',                '401 403 403 204 401 403', (w) => post(`/users/${w.other.id}/invitation`, {})],
  ['POST /users/:userId/invitation, unknown',              '401 403 403 404 401 403', () => post(`/users/${UNKNOWN}/invitation`, {})],
  ['GET /users/:userId/mails, self',                       '401 200 200 200 401 200', (w, who) => get(`/users/${w.idOf(who)}/mails`)],
  ['GET /users/:userId/mails, other',                      '401 403 403 403 401 403', (w) => get(`/users/${w.second.id}/mails`)],
  ['PUT /users/:userId/mails, self',                       '401 200 200 200 401 200', (w, who) => put(`/users/${w.idOf(who)}/mails`, { choice: 'none' })],
  ['PUT /users/:userId/mails, a client to follow',         '401 403 403 200 401 200', (w, who) => put(`/users/${w.idOf(who)}/mails`, { choice: 'daily', follows: [w.client] })],
  ['PUT /users/:userId/mails, other',                      '401 403 403 403 401 403', (w) => put(`/users/${w.second.id}/mails`, { choice: 'none' })],
  ['GET /mails, unknown key',                              '404 404 404 404 404 404', () => get('/mails?key=x')],
  ['PUT /mails, unknown key',                              '404 404 404 404 404 404', () => put('/mails?key=x', { choice: 'none' })],
  ['GET /mail-state',                                      '401 403 403 200 401 200', () => get('/mail-state')],
  ['GET /users/invitations',                               '401 403 403 200 401 200', (w) => get(`/users/invitations?ids=${w.other.id}`)],
  ['GET /users/:userId/second-step, self',                 '401 200 200 200 401 200', (w, who) => get(`/users/${w.idOf(who)}/second-step`)],
  ['GET /users/:userId/second-step, other',                '401 403 403 200 401 403', (w) => get(`/users/${w.other.id}/second-step`)],
  ['GET /users/:userId/second-step, unknown',              '401 403 403 404 401 403', () => get(`/users/${UNKNOWN}/second-step`)],
  ['DELETE /users/:userId/second-step, other',             '401 403 403 204 401 403', async (w) => remove(`/users/${await w.withSecondStep()}/second-step`)],
  ['DELETE /users/:userId/second-step, has none',          '401 403 403 409 401 403', (w) => remove(`/users/${w.other.id}/second-step`)],
  ['DELETE /users/:userId/second-step, self',              '401 403 403 403 401 403', (w, who) => remove(`/users/${w.idOf(who)}/second-step`)],
  ['DELETE /users/:userId/second-step, unknown',           '401 403 403 404 401 403', () => remove(`/users/${UNKNOWN}/second-step`)],
  ['POST /users/:userId/second-step/app, self',            '401 201 201 201 401 201', (w, who) => post(`/users/${w.idOf(who)}/second-step/app`, { password: TEST_PASSWORD })],
  ['POST /users/:userId/second-step/app, wrong password',  '401 403 403 403 401 403', (w, who) => post(`/users/${w.idOf(who)}/second-step/app`, { password: 'x' })],
  ['POST /users/:userId/second-step/app, other',           '401 403 403 403 401 403', (w) => post(`/users/${w.second.id}/second-step/app`, { password: TEST_PASSWORD })],
  ['PUT /users/:userId/second-step/app, none begun',       '401 409 409 409 401 409', (w, who) => put(`/users/${w.idOf(who)}/second-step/app`, { code: '000000' })],
  ['PUT /users/:userId/second-step/app, other',            '401 403 403 403 401 403', (w) => put(`/users/${w.second.id}/second-step/app`, { code: '000000' })],
  ['POST /users/:userId/second-step/passkeys/options, self', '401 201 201 201 401 201', (w, who) => post(`/users/${w.idOf(who)}/second-step/passkeys/options`, { password: TEST_PASSWORD })],
  ['POST /users/:userId/second-step/passkeys/options, other', '401 403 403 403 401 403', (w) => post(`/users/${w.second.id}/second-step/passkeys/options`, { password: TEST_PASSWORD })],
  ['POST /users/:userId/second-step/passkeys, no ticket',  '401 403 403 403 401 403', (w, who) => post(`/users/${w.idOf(who)}/second-step/passkeys`, { ticket: 'x', name: 'Laptop', response: {} })],
  ['POST /users/:userId/second-step/passkeys, other',      '401 403 403 403 401 403', (w) => post(`/users/${w.second.id}/second-step/passkeys`, { ticket: 'x', name: 'Laptop', response: {} })],
  ['POST /users/:userId/second-step/tickets, has none',    '401 409 409 409 401 409', (w, who) => post(`/users/${w.idOf(who)}/second-step/tickets`, {})],
  ['POST /users/:userId/second-step/tickets, other',       '401 403 403 403 401 403', async (w) => post(`/users/${await w.withSecondStep()}/second-step/tickets`, {})],
  ['POST /users/:userId/second-step/removal, no ticket',   '401 403 403 403 401 403', (w, who) => post(`/users/${w.idOf(who)}/second-step/removal`, { ticket: 'x', what: 'app', code: '000000' })],
  ['POST /users/:userId/second-step/removal, other',       '401 403 403 403 401 403', (w) => post(`/users/${w.second.id}/second-step/removal`, { ticket: 'x', what: 'app', code: '000000' })],
  ['POST /users/:userId/second-step/recovery-codes',       '401 403 403 403 401 403', (w, who) => post(`/users/${w.idOf(who)}/second-step/recovery-codes`, { ticket: 'x', code: '000000' })],
  ['POST /users/:userId/second-step/recovery-codes, other', '401 403 403 403 401 403', (w) => post(`/users/${w.second.id}/second-step/recovery-codes`, { ticket: 'x', code: '000000' })],

  ['any other path',                                      '404 404 404 404 404 404', () => get('/articles/a/b/c/d')],
  ['any other method',                                    '404 404 404 404 404 404', (w) => post(`/articles/${w.live}/revisions/1`, {})],
]

const tables = [
  'articles',
  'article_revisions',
  'idempotency',
  'clients',
  'client_users',
  'users',
  'authenticator_apps',
  'audit',
  'article_plans',
  'deleted_articles',
  'undelivered_texts',
  'program_tokens',
  'brief_templates',
  'invitations',
] as const

/**
 * Unchanged worlds by actor: a call that only read, or was refused and changed nothing, leaves its world to the next
 * test, because creating one costs more than all that happens in it.
 */
const untouched = new Map<Principal, World>()
afterAll(async () => {
  for (const world of untouched.values()) await world.end()
})

/** `test` returns whether it left everything unchanged. */
async function inWorld(who: Principal, test: (world: World) => Promise<boolean>): Promise<void> {
  const world = untouched.get(who) ?? (await createWorld(who))
  untouched.delete(who)
  let isUntouched = false
  try {
    isUntouched = (await test(world)) && !world.isTouched()
  } finally {
    if (isUntouched) untouched.set(who, world)
    else await world.end()
  }
}

type Agency = Awaited<ReturnType<typeof createAgency>>

/** The agency of each actor before any request. */
const stored = new Map<Principal, { agency: Agency; copy: () => Database }>()

/** Runs on a copy of the actor's agency if the engine can copy databases. */
async function openAgency(who: Principal): Promise<{ app: StartedServer; agency: Agency }> {
  const kept = stored.get(who)
  if (kept) {
    const { newId, randomBytes } = kept.agency
    const deps = { newId, randomBytes }
    return {
      app: await startServer({ isLasting: true, db: kept.copy(), deps }),
      agency: kept.agency,
    }
  }
  const app = await startServer({ isLasting: true })
  const agency = await createAgency(app, who)
  const copy = copiesOf(app.db)
  if (copy !== null) stored.set(who, { agency, copy })
  return { app, agency }
}

async function createAgency(app: StartedServer, who: Principal) {
  const other = await app.user({ name: 'Rosa Winther', email: 'rosa@contun.example' })
  const second = await app.user({ name: 'Cosmo Reyes', role: 'admin' })
  const people: Record<Exclude<Principal, 'AN'>, TestUser> = {
    CU: await app.user({ name: 'Otto Lindqvist' }),
    CA: await app.user({ name: 'Imogen Hale' }),
    AD: await app.user({ name: 'Ada Ferris', role: 'admin' }),
    DEL: await app.user({ name: 'Ines Duarte' }),
    ST: await app.user({ name: 'Bela Orban', role: 'admin' }),
    PR: await app.user({ name: 'Nora Whitby' }),
    OUT: await app.user({ name: 'Emil Sand' }),
  }
  const members = [people.CA, people.DEL, people.OUT, other]
  const client = await app.client({ users: members })
  const gone = await app.client({ name: 'Closed Bakery', users: members })
  const articles = {
    live: (await app.article({ client })).id,
    complete: (await app.article({ client, completed: true })).id,
    ownerless: (await app.article({ client: null })).id,
    orphaned: (await app.article({ client: gone })).id,
  }
  const sessions = new Map<Principal, Tokens>()
  const resetTokens = new Map<Principal, string>()
  for (const [name, person] of Object.entries(people) as [Principal, TestUser][]) {
    sessions.set(name, await app.signIn(person))
    // Created only for the caller under test, because each link costs as much as all the rest.
    if (name !== who) continue
    await app.as(null).post('/v1/auth/forgot-password', { email: person.email })
    await app.settled()
    const mail = JSON.stringify(app.sentMail.at(-1))
    resetTokens.set(name, /token=([\w-]+)/.exec(mail)?.[1] ?? '')
  }
  const sent = await app.as(other).post(`/v1/articles/${articles.live}/undelivered-texts`, {
    articleText: text,
    reason: 'completed',
  })
  await app.as(other).post(`/v1/articles/${articles.live}/notes`, { ...MARGIN_NOTE, ref: 'margin' })
  const undelivered = ((await sent.json()) as { id: string }).id
  const programToken = '0195a000-0000-7000-8000-00000000fffe'
  const times = { created_at: '2026-03-02T09:00:00.000Z', expires_at: '2027-03-02T09:00:00.000Z' }
  const token = { id: programToken, name: 'Website', digest: '', owner_id: second.id, ...times }
  await insertToken(app.db, { ...token, last_used_on: null }, [client.id])
  const { id: deletedArticle } = await app.article({ client })
  const deletion = { now: app.clock.now(), deletedBy: second.id }
  await app.db.transaction().execute((db) => deleteArticle(db, deletedArticle, deletion))
  await app.db.deleteFrom('users').where('id', '=', people.DEL.id).execute()
  await app.db.updateTable('users').set({ role: 'user' }).where('id', '=', people.ST.id).execute()
  await app.db.deleteFrom('sessions').where('user_id', '=', people.OUT.id).execute()
  // Only for the caller under test: elsewhere PR would be an additional admin.
  if (who === 'PR') {
    await app.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', people.PR.id)
      .execute()
  }
  await app.db
    .updateTable('clients')
    .set({ deleted_at: '2026-03-02T09:00:00.000Z' })
    .where('id', '=', gone.id)
    .execute()

  return {
    newId: app.deps.newId,
    randomBytes: app.deps.randomBytes,
    other,
    second,
    people,
    sessions,
    resetTokens,
    ids: {
      ...articles,
      client: client.id,
      members: members.filter(({ id }) => id !== people.DEL.id).map(({ id }) => id),
      gone: gone.id,
      undelivered,
      programToken,
      deletedArticle,
    },
  }
}

async function createWorld(who: Principal) {
  const { app, agency } = await openAgency(who)
  const { other, second, people, sessions, resetTokens } = agency
  let isTouched = false
  const person = (who: Principal) => (who === 'AN' ? null : people[who])
  const bearer = (who: Principal): Record<string, string> => {
    const token = sessions.get(who)?.access.token
    return token === undefined ? {} : { authorization: `Bearer ${token}` }
  }
  const read = () =>
    Promise.all(
      tables.map((table) => app.db.selectFrom(table).selectAll().execute() as Promise<object[]>),
    )
  let known: object[][] | null = null
  return {
    ...agency.ids,
    other,
    second,
    /** Whether the test did more than calls. */
    isTouched: () => isTouched,
    end: async () => {
      await app.stop()
      await app.giveBack()
    },
    /** The id of an account that has a second step. */
    withSecondStep: async () => {
      isTouched = true
      const created_at = '2026-03-02T09:00:00.000Z'
      const row = { secret: 'unread', last_step: 0, created_at, confirmed_at: created_at }
      await app.db
        .insertInto('authenticator_apps')
        .values({ user_id: other.id, ...row })
        .execute()
      return other.id
    },
    /** Leaves one admin. */
    lastAdmin: async () => {
      isTouched = true
      await app.db.deleteFrom('users').where('id', '=', second.id).execute()
      return people.AD.id
    },
    credentials: (who: Principal) => ({
      email: (person(who) ?? other).email,
      password: TEST_PASSWORD,
    }),
    idOf: (who: Principal) => (person(who) ?? other).id,
    refreshToken: (who: Principal) => sessions.get(who)?.refresh.token ?? 'none',
    resetToken: (who: Principal) => resetTokens.get(who) ?? 'none',
    call: (who: Principal, { method, path, body }: Call) => {
      const caller = app.as(null)
      return method === 'get'
        ? caller.get(`/v1${path}`, bearer(who))
        : caller[method](`/v1${path}`, body, bearer(who))
    },
    routes: app.app.routes,
    /** Everything that a refused call must leave unchanged, as it is now. */
    content: read,
    /** The same before the call: read once for all tests that leave this world unchanged. */
    before: async () => {
      if (known === null || isTouched) known = await read()
      return known
    },
    errors: () => app.logLines.filter(({ level }) => level === 'error'),
  }
}

describe('the permission matrix of the started server', {
  tags: [
    '@CO-13',
    '@AP-09',
    '@AP-11',
    '@AP-16',
    '@AP-18',
    '@AP-19',
    '@AP-20',
    '@AP-23',
    '@PE-01',
    '@PE-02',
    '@PE-03',
    '@PE-04',
    '@PE-05',
    '@PE-07',
    '@PE-12',
    '@PE-13',
    '@PE-17',
    '@Q51',
    '@Q95',
  ],
}, () => {
  it.each(
    rows.flatMap(([route, answers, call]) =>
      CALLERS.map((who) => ({ route, who, status: answerFor(who, route, answers), call })),
    ),
  )('$route as $who is $status', { tags: ['@Q58'] }, ({ who, status, call }) =>
    inWorld(who, async (world) => {
      const request = await call(world, who)
      const before = await world.before()
      const answer = await world.call(who, request)
      expect(answer.status).toBe(status)
      expect(world.errors()).toEqual([])
      if (status < 400) {
        await answer.body?.cancel()
        return request.method === 'get'
      }
      expect(errorSchema.parse(await answer.json()).code).toBe(status)
      expect(await world.content()).toEqual(before)
      return true
    }),
  )

  it('has a row for every route of the server', () =>
    inWorld('AN', async ({ routes }) => {
      const known = rows.map(([route]) => route.replace(',', '').split(' ').slice(0, 2).join(' '))
      const served = routes
        .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/'))
        .map(({ method, path }) => `${method} ${path.slice('/v1'.length)}`)
      expect(served.length).toBeGreaterThan(0)
      expect(served.filter((route) => !known.includes(route))).toEqual([])
      return true
    }))
})

it('a batch answers each of its changes as the call for it alone does', async () => {
  const single = rows.filter(([route]) => /^PATCH \/articles\/:id(?!\/)/.test(route))
  expect(single.length).toBeGreaterThan(10)
  for (const who of ['CU', 'CA', 'AD'] as const) {
    for (const [route, answers, call] of single) {
      await inWorld(who, async (world) => {
        const { path, body } = await call(world, who)
        const before = await world.before()
        const answer = await world.call(who, patchArticles({ id: path.split('/').at(-1), body }))
        const [only] = ((await answer.json()) as BatchAnswer).answers
        expect([route, who, only?.status]).toEqual([route, who, answerFor(who, route, answers)])
        if (only?.status === 200) return false
        expect(await world.content()).toEqual(before)
        return true
      })
    }
  }
}, 120_000)

it('a demoted admin stays admin until he signs in again', { tags: ['@PE-14', '@Q58'] }, () =>
  inWorld('ST', async (world) => {
    const session = await (
      await world.call('ST', post('/auth/login', world.credentials('ST')))
    ).json()
    expect(session.user.role).toBe('user')
    expect((await world.call('ST', get(`/articles/${world.ownerless}`))).status).toBe(200)
    const refreshed = await world.call(
      'ST',
      post('/auth/refresh-tokens', { refreshToken: world.refreshToken('ST') }),
    )
    expect(refreshed.status).toBe(200)
    expect((await world.call('ST', get(`/articles/${world.ownerless}`))).status).toBe(200)
    return false
  }),
)
