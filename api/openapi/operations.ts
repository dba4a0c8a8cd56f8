import type * as z from 'zod'
import { articleListAnswerSchema, articleListBody } from '../../domain/wire/article-lists.ts'
import {
  articleCountsSchema,
  articleCreateBody,
  articleSchema,
  articleSettingsBody,
  revisionSchema,
  revisionWithTextSchema,
} from '../../domain/wire/articles.ts'
import { articleBatchBody, articlePatchBody, batchAnswerSchema } from '../../domain/wire/changes.ts'
import { clientCreateBody, clientPatchBody, clientSchema } from '../../domain/wire/clients.ts'
import { copiesSchema } from '../../domain/wire/copies.ts'
import { listSchema } from '../../domain/wire/fields.ts'
import {
  handInSchema,
  receiptCheckBody,
  receiptCheckSchema,
  receiptKeysSchema,
} from '../../domain/wire/hand-ins.ts'
import { handOversSchema } from '../../domain/wire/hand-overs.ts'
import { homeQuery, homeSchema } from '../../domain/wire/home.ts'
import { invitationsSchema, welcomeBody, welcomeSchema } from '../../domain/wire/invitations.ts'
import {
  articleCountsQuery,
  articleListQuery,
  articleLogQuery,
  clientListQuery,
  copiesQuery,
  handInsQuery,
  handOversQuery,
  invitationsQuery,
  logQuery,
  monthQuery,
  myArticlesQuery,
  progressQuery,
  revisionsQuery,
  undeliveredTextListQuery,
  userListQuery,
} from '../../domain/wire/list-query.ts'
import { logEntrySchema } from '../../domain/wire/log.ts'
import {
  mailChoiceBody,
  mailKeyQuery,
  mailReaderSchema,
  mailSettingsBody,
  mailSettingsSchema,
  mailStateSchema,
} from '../../domain/wire/mails.ts'
import { articleNoteSchema, noteChangeBody, noteCreateBody } from '../../domain/wire/notes.ts'
import { peopleListAnswerSchema, peopleListBody } from '../../domain/wire/people-lists.ts'
import { planBody, planSchema } from '../../domain/wire/plans.ts'
import { presenceBody } from '../../domain/wire/presence.ts'
import {
  newProgramTokenSchema,
  programTokenCreateBody,
  programTokenSchema,
  programTokensSchema,
} from '../../domain/wire/program-tokens.ts'
import {
  bulkAnswerSchema,
  bulkBody,
  monthSheetSchema,
  progressSchema,
} from '../../domain/wire/progress.ts'
import {
  appCodeBody,
  appSecretSchema,
  confirmPasswordBody,
  passkeyBody,
  passkeyCreationSchema,
  recoveryCodesSchema,
  secondStepAskedSchema,
  secondStepBody,
  secondStepRemovalBody,
  secondStepSchema,
} from '../../domain/wire/second-step.ts'
import { templateBody, templateSchema, templatesSchema } from '../../domain/wire/templates.ts'
import {
  undeliveredReceiptSchema,
  undeliveredTextCreateBody,
  undeliveredTextPatchBody,
  undeliveredTextSchema,
  undeliveredTextWithDocumentSchema,
} from '../../domain/wire/undelivered.ts'
import {
  forgotPasswordBody,
  loginBody,
  logoutBody,
  refreshBody,
  registerBody,
  resetPasswordBody,
  sessionSchema,
  tokensSchema,
  userCreateBody,
  userPatchBody,
  userSchema,
} from '../../domain/wire/users.ts'
import type { AnswerHeader, RequestHeader } from './headers.ts'
import {
  aliveSchema,
  descriptionSchema,
  healthSchema,
  newsSchema,
  resetPasswordQuery,
} from './schemas.ts'

/**
 * One call of the API. Every operation but health and description may also respond with 500, 503 and 507; a body adds
 * 400, 413 and 415, a session 401 and 429.
 */
export type Operation = {
  /** `operationId`: the name in generated clients. */
  id: string
  tag: keyof typeof TAGS
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/v1/users/{userId}`. */
  path: string
  summary: string
  /** `manager` is an admin at login and now (Q58). */
  who: 'everyone' | 'user' | 'admin' | 'manager' | 'program'
  query?: z.ZodObject
  headers?: readonly RequestHeader[]
  body?: z.ZodType
  /** Status and schema of the success response; null when it has no body. */
  success: readonly [status: 200 | 201 | 204, schema: z.ZodType | null]
  /** Headers of that response, in addition to those of every response. */
  answerHeaders?: readonly AnswerHeader[]
  /** The schema is that of each event of a stream. */
  isStream?: true
  /** Error statuses, in addition to those that a session and a body add. */
  refusals?: readonly number[]
}

export const TAGS = {
  server: 'The state of the server',
  login: 'Logging in and out, and passwords',
  users: 'Accounts',
  clients: 'Companies that articles are for',
  articles: 'Articles, their texts and earlier texts',
  home: 'What an admin sees first',
  progress: 'How far articles are, and what was handed in',
  programs: 'What programs read, and their tokens',
  events: 'What changed',
  'undelivered-texts': 'Texts that an article did not take',
  log: 'Who did what',
}

const CHANGE_HEADERS = ['If-Match', 'Idempotency-Key', 'Prefer'] as const
const CHANGED = ['ETag', 'Idempotency-Replayed', 'Preference-Applied'] as const
const STATE = ['Server-Epoch', 'Change-Seq'] as const

// biome-ignore format: a table reads by its rows.
export const OPERATIONS: readonly Operation[] = [
  { id: 'checkHealth', tag: 'server', method: 'get', path: '/healthz', summary: 'Whether the process lives', who: 'everyone', success: [200, aliveSchema] },
  { id: 'checkReadiness', tag: 'server', method: 'get', path: '/readyz', summary: 'Whether requests are welcome', who: 'everyone', success: [200, healthSchema] },
  { id: 'readDescription', tag: 'server', method: 'get', path: '/openapi.json', summary: 'This document', who: 'everyone', success: [200, descriptionSchema] },
  { id: 'listReceiptKeys', tag: 'server', method: 'get', path: '/.well-known/contun-key', summary: 'The public keys of receipts, as a JSON Web Key Set', who: 'everyone', success: [200, receiptKeysSchema] },

  { id: 'login', tag: 'login', method: 'post', path: '/v1/auth/login', summary: 'Log in', who: 'everyone', body: loginBody, success: [200, sessionSchema], refusals: [401, 403, 429] },
  { id: 'enterSecondStep', tag: 'login', method: 'post', path: '/v1/auth/second-step', summary: 'Log in by the second step, with the ticket of a login that was refused with the reason second_step', who: 'everyone', body: secondStepBody, success: [200, sessionSchema], refusals: [403, 429] },
  { id: 'register', tag: 'login', method: 'post', path: '/v1/auth/register', summary: 'Make an account of the role user and log in', who: 'everyone', body: registerBody, success: [201, sessionSchema], refusals: [429] },
  { id: 'refreshTokens', tag: 'login', method: 'post', path: '/v1/auth/refresh-tokens', summary: 'Change the refresh token for new tokens', who: 'everyone', body: refreshBody, success: [200, tokensSchema], refusals: [401, 429] },
  { id: 'logout', tag: 'login', method: 'post', path: '/v1/auth/logout', summary: 'End the session of the refresh token', who: 'everyone', body: logoutBody, success: [204, null] },
  { id: 'requestPasswordReset', tag: 'login', method: 'post', path: '/v1/auth/forgot-password', summary: 'Send a reset link, if there is such an account', who: 'everyone', body: forgotPasswordBody, success: [204, null], refusals: [429] },
  { id: 'resetPassword', tag: 'login', method: 'post', path: '/v1/auth/reset-password', summary: 'Set a password by the token of a reset link', who: 'everyone', query: resetPasswordQuery, body: resetPasswordBody, success: [204, null], refusals: [401, 429] },
  { id: 'readInvitation', tag: 'login', method: 'post', path: '/v1/auth/invitation', summary: 'What the invitation with this token says, for the page that sets the password', who: 'everyone', body: welcomeBody, success: [200, welcomeSchema], refusals: [401, 429] },

  { id: 'listUsers', tag: 'users', method: 'get', path: '/v1/users', summary: 'One page of the accounts', who: 'admin', query: userListQuery, success: [200, listSchema(userSchema)] },
  { id: 'listInvitations', tag: 'users', method: 'get', path: '/v1/users/invitations', summary: 'The open invitations of some accounts', who: 'admin', query: invitationsQuery, success: [200, invitationsSchema] },
  { id: 'createUser', tag: 'users', method: 'post', path: '/v1/users', summary: 'Make an account', who: 'manager', body: userCreateBody, success: [201, userSchema] },
  { id: 'inviteUsers', tag: 'users', method: 'post', path: '/v1/users/list', summary: 'Invite several people from one list, all or none, after a dry run', who: 'manager', headers: ['Idempotency-Key'], body: peopleListBody, success: [200, peopleListAnswerSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [409, 422, 429] },
  { id: 'updateUser', tag: 'users', method: 'patch', path: '/v1/users/{userId}', summary: 'Change an account; everybody may change the own password', who: 'manager', body: userPatchBody, success: [200, userSchema], refusals: [404, 409] },
  { id: 'deleteUser', tag: 'users', method: 'delete', path: '/v1/users/{userId}', summary: 'Delete an account', who: 'manager', success: [204, null], refusals: [404, 409] },
  { id: 'deleteUserSessions', tag: 'users', method: 'delete', path: '/v1/users/{userId}/sessions', summary: 'Sign an account out everywhere', who: 'manager', success: [204, null], refusals: [404] },
  { id: 'inviteUser', tag: 'users', method: 'post', path: '/v1/users/{userId}/invitation', summary: 'Mail a link to set a password, valid for 7 days', who: 'manager', success: [204, null], refusals: [404, 429] },
  { id: 'readSecondStep', tag: 'users', method: 'get', path: '/v1/users/{userId}/second-step', summary: 'The second step of an account; everybody may read the own one', who: 'manager', success: [200, secondStepSchema], refusals: [404] },
  { id: 'readMailSettings', tag: 'users', method: 'get', path: '/v1/users/{userId}/mails', summary: 'Which mails about articles the own account gets', who: 'user', success: [200, mailSettingsSchema], refusals: [403] },
  { id: 'replaceMailSettings', tag: 'users', method: 'put', path: '/v1/users/{userId}/mails', summary: 'Choose the mails of the own account, and for an admin the clients whose hand-ins are mailed', who: 'user', body: mailSettingsBody, success: [200, mailSettingsSchema], refusals: [403] },
  { id: 'readMailChoice', tag: 'users', method: 'get', path: '/v1/mails', summary: 'The choice of the reader of a mail, by the key of its link', who: 'everyone', query: mailKeyQuery, success: [200, mailReaderSchema], refusals: [404, 429] },
  { id: 'changeMailChoice', tag: 'users', method: 'put', path: '/v1/mails', summary: 'Choose other mails, by the key of the link in a mail', who: 'everyone', query: mailKeyQuery, body: mailChoiceBody, success: [200, mailReaderSchema], refusals: [404, 429] },
  { id: 'stopMails', tag: 'users', method: 'post', path: '/mails/stop', summary: 'Stop mails about articles, as mail programs do it (RFC 8058); the body is not read', who: 'everyone', query: mailKeyQuery, success: [204, null], refusals: [400, 404, 429] },
  { id: 'readMailState', tag: 'users', method: 'get', path: '/v1/mail-state', summary: 'Whether mails leave, and which users have an address that takes none', who: 'admin', success: [200, mailStateSchema] },
  { id: 'deleteSecondStep', tag: 'users', method: 'delete', path: '/v1/users/{userId}/second-step', summary: 'Remove the second step of another person’s account', who: 'manager', success: [204, null], refusals: [404, 409] },
  { id: 'createAuthenticatorApp', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/app', summary: 'A secret for an authenticator app of the own account, in use from its first code on', who: 'user', body: confirmPasswordBody, success: [201, appSecretSchema], refusals: [403, 409, 429] },
  { id: 'confirmAuthenticatorApp', tag: 'users', method: 'put', path: '/v1/users/{userId}/second-step/app', summary: 'Make the new authenticator app a second step by its first code', who: 'user', body: appCodeBody, success: [200, recoveryCodesSchema], refusals: [403, 409, 429] },
  { id: 'createPasskeyOptions', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/passkeys/options', summary: 'A challenge for a new passkey of the own account', who: 'user', body: confirmPasswordBody, success: [201, passkeyCreationSchema], refusals: [403, 429] },
  { id: 'createPasskey', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/passkeys', summary: 'Make a new passkey a second step of the own account', who: 'user', body: passkeyBody, success: [200, recoveryCodesSchema], refusals: [403, 409, 429] },
  { id: 'createSecondStepTicket', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/tickets', summary: 'Ask what proves the own second step, to change it', who: 'user', success: [201, secondStepAskedSchema], refusals: [403, 409] },
  { id: 'removeSecondStep', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/removal', summary: 'Remove an authenticator app or a passkey of the own account', who: 'user', body: secondStepRemovalBody, success: [204, null], refusals: [403, 404, 429] },
  { id: 'renewRecoveryCodes', tag: 'users', method: 'post', path: '/v1/users/{userId}/second-step/recovery-codes', summary: 'Ten new recovery codes of the own account', who: 'user', body: secondStepBody, success: [200, recoveryCodesSchema], refusals: [403, 429] },

  { id: 'listClients', tag: 'clients', method: 'get', path: '/v1/clients', summary: 'One page of the clients', who: 'admin', query: clientListQuery, success: [200, listSchema(clientSchema)] },
  { id: 'createClient', tag: 'clients', method: 'post', path: '/v1/clients', summary: 'Make a client', who: 'admin', body: clientCreateBody, success: [201, clientSchema] },
  { id: 'updateClient', tag: 'clients', method: 'patch', path: '/v1/clients/{id}', summary: 'Change a client', who: 'admin', body: clientPatchBody, success: [200, clientSchema], refusals: [404] },
  { id: 'deleteClient', tag: 'clients', method: 'delete', path: '/v1/clients/{id}', summary: 'Delete a client; its articles stay', who: 'admin', success: [204, null], refusals: [404] },

  { id: 'listMyArticles', tag: 'articles', method: 'get', path: '/v1/articles/client/myArticles', summary: 'All articles of the clients that one belongs to, or with fields=text a page of them', who: 'user', query: myArticlesQuery, headers: ['If-None-Match'], success: [200, listSchema(articleSchema)], answerHeaders: ['ETag', ...STATE] },
  { id: 'readCopies', tag: 'articles', method: 'get', path: '/v1/articles/client/copies', summary: 'Several articles with their texts, plans, newest receipts and notes, for work without a connection', who: 'user', query: copiesQuery, success: [200, copiesSchema], answerHeaders: STATE },
  { id: 'readArticle', tag: 'articles', method: 'get', path: '/v1/articles/{id}', summary: 'One article with its text', who: 'user', headers: ['If-None-Match'], success: [200, articleSchema], answerHeaders: ['ETag', ...STATE], refusals: [404] },
  { id: 'saveArticle', tag: 'articles', method: 'patch', path: '/v1/articles/{id}', summary: 'Save the text, complete the article, or reopen it (admins)', who: 'user', headers: [...CHANGE_HEADERS, 'Contun-Reason', 'Contun-Supersedes', 'Contun-Knows', 'Server-Epoch'], body: articlePatchBody, success: [200, articleSchema], answerHeaders: [...CHANGED, 'Contun-Hand-In', ...STATE], refusals: [403, 404, 409, 412, 422, 426] },
  { id: 'saveArticles', tag: 'articles', method: 'patch', path: '/v1/articles', summary: 'Several changes, one after the other; each has the answer that it would have had alone', who: 'user', headers: ['Contun-Knows'], body: articleBatchBody, success: [200, batchAnswerSchema], answerHeaders: STATE },
  { id: 'listRevisions', tag: 'articles', method: 'get', path: '/v1/articles/{id}/revisions', summary: 'One page of the texts that an article had, newest first', who: 'user', query: revisionsQuery, success: [200, listSchema(revisionSchema)], refusals: [404] },
  { id: 'readRevision', tag: 'articles', method: 'get', path: '/v1/articles/{id}/revisions/{textVersion}', summary: 'One text that an article had', who: 'user', success: [200, revisionWithTextSchema], refusals: [404] },
  { id: 'restoreRevision', tag: 'articles', method: 'post', path: '/v1/articles/{id}/revisions/{textVersion}/restore', summary: 'Make a text that the article had its text again', who: 'user', headers: CHANGE_HEADERS, success: [200, articleSchema], answerHeaders: CHANGED, refusals: [400, 404, 409, 412, 422] },
  { id: 'listHandIns', tag: 'articles', method: 'get', path: '/v1/articles/{id}/hand-ins', summary: 'One page of the receipts of an article’s hand-ins, newest first', who: 'user', query: handInsQuery, success: [200, listSchema(handInSchema)], refusals: [404] },
  { id: 'verifyReceipt', tag: 'articles', method: 'post', path: '/v1/hand-ins/verify', summary: 'Whether a saved receipt is of this server, and unchanged', who: 'user', body: receiptCheckBody, success: [200, receiptCheckSchema] },
  { id: 'listNotes', tag: 'articles', method: 'get', path: '/v1/articles/{id}/notes', summary: 'Why an article was reopened, the answers, and the notes about words of its text with all changes of them, oldest first', who: 'user', success: [200, listSchema(articleNoteSchema)], refusals: [404] },
  { id: 'createNote', tag: 'articles', method: 'post', path: '/v1/articles/{id}/notes', summary: 'Say why an article was reopened (admins), answer, or add a note about words of the text', who: 'user', headers: ['Idempotency-Key'], body: noteCreateBody, success: [201, articleNoteSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [403, 404, 409, 422] },
  { id: 'updateNote', tag: 'articles', method: 'patch', path: '/v1/articles/{id}/notes/{ref}', summary: 'Mark a note about words as done or open, or take one’s own back within a minute; the answer is the change, which the list has too', who: 'user', headers: ['Idempotency-Key'], body: noteChangeBody, success: [200, articleNoteSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [403, 404, 409, 422] },
  { id: 'readPlan', tag: 'articles', method: 'get', path: '/v1/articles/{id}/plan', summary: 'The brief of an article, and the day when it is due', who: 'user', success: [200, planSchema], answerHeaders: ['ETag'], refusals: [404] },
  { id: 'updatePlan', tag: 'articles', method: 'put', path: '/v1/articles/{id}/plan', summary: 'Set the brief of an article and the day when it is due (admins)', who: 'user', headers: ['If-Match'], body: planBody, success: [200, planSchema], answerHeaders: ['ETag'], refusals: [403, 404, 412] },
  { id: 'listArticles', tag: 'articles', method: 'get', path: '/v1/articles', summary: 'One page of all articles', who: 'admin', query: articleListQuery, success: [200, listSchema(articleSchema)] },
  { id: 'createArticle', tag: 'articles', method: 'post', path: '/v1/articles', summary: 'Make an article', who: 'admin', body: articleCreateBody, success: [201, articleSchema], answerHeaders: ['ETag'] },
  { id: 'saveArticleList', tag: 'articles', method: 'post', path: '/v1/articles/list', summary: 'Create and change many articles from one list, all or none, after a dry run', who: 'admin', headers: ['Idempotency-Key'], body: articleListBody, success: [200, articleListAnswerSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [409, 422] },
  { id: 'updateArticleSettings', tag: 'articles', method: 'patch', path: '/v1/articles/admin/{id}', summary: 'Change the settings of an article', who: 'admin', headers: CHANGE_HEADERS, body: articleSettingsBody, success: [200, articleSchema], answerHeaders: CHANGED, refusals: [404, 412, 422] },
  { id: 'changeArticles', tag: 'articles', method: 'post', path: '/v1/articles/bulk', summary: 'One change of several articles, all or none, or with dryRun only what it would do', who: 'admin', headers: ['Idempotency-Key'], body: bulkBody, success: [200, bulkAnswerSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [404, 422] },
  { id: 'deleteArticle', tag: 'articles', method: 'delete', path: '/v1/articles/{id}', summary: 'Delete an article; it can be restored for 30 days', who: 'admin', success: [204, null], refusals: [404] },
  { id: 'restoreArticle', tag: 'articles', method: 'post', path: '/v1/articles/admin/{id}/restore', summary: 'Restore a deleted article; one that is not deleted stays as it is', who: 'admin', success: [200, articleSchema], answerHeaders: ['ETag'], refusals: [404] },
  { id: 'countArticles', tag: 'articles', method: 'get', path: '/v1/articles/admin/counts', summary: 'How many articles of a search and of clients are not complete, without entities and without a client', who: 'admin', query: articleCountsQuery, success: [200, articleCountsSchema] },
  { id: 'listTemplates', tag: 'articles', method: 'get', path: '/v1/templates', summary: 'All templates of briefs, by name', who: 'admin', success: [200, templatesSchema] },
  { id: 'saveTemplate', tag: 'articles', method: 'post', path: '/v1/templates', summary: 'Copy brief, outline, minimum and entities of an article into a template, which replaces the one with this name', who: 'admin', body: templateBody, success: [201, templateSchema], refusals: [404, 409] },
  { id: 'deleteTemplate', tag: 'articles', method: 'delete', path: '/v1/templates/{id}', summary: 'Delete a template; articles stay as they are', who: 'admin', success: [204, null], refusals: [404] },

  { id: 'readHome', tag: 'home', method: 'get', path: '/v1/home', summary: 'What needs the attention of an admin', who: 'admin', query: homeQuery, success: [200, homeSchema] },
  { id: 'listProgress', tag: 'progress', method: 'get', path: '/v1/progress', summary: 'One page of the progress of all articles, the most at risk first. Order, filters and Must Use are counted a few seconds after each change', who: 'admin', query: progressQuery, success: [200, progressSchema] },
  { id: 'readMonth', tag: 'progress', method: 'get', path: '/v1/hand-ins', summary: 'One page of the hand-ins of a month of the agency, as their receipts have them, oldest first', who: 'admin', query: monthQuery, success: [200, monthSheetSchema] },
  { id: 'listHandOvers', tag: 'programs', method: 'get', path: '/v1/hand-overs', summary: 'One page of what was handed in for the clients of the token, by rising positions. A page is shorter where texts are long', who: 'program', query: handOversQuery, headers: ['If-None-Match'], success: [200, handOversSchema], answerHeaders: ['ETag'] },
  { id: 'listProgramTokens', tag: 'programs', method: 'get', path: '/v1/program-tokens', summary: 'All tokens of programs, newest first', who: 'admin', success: [200, programTokensSchema] },
  { id: 'createProgramToken', tag: 'programs', method: 'post', path: '/v1/program-tokens', summary: 'Make a token, which only this answer contains', who: 'manager', body: programTokenCreateBody, success: [201, newProgramTokenSchema], refusals: [409] },
  { id: 'revokeProgramToken', tag: 'programs', method: 'delete', path: '/v1/program-tokens/{id}', summary: 'Revoke a token', who: 'manager', success: [204, null], refusals: [404] },
  { id: 'takeOverProgramToken', tag: 'programs', method: 'post', path: '/v1/program-tokens/{id}/owner', summary: 'Become the owner of a token; it is deleted with the account of its owner', who: 'manager', success: [200, programTokenSchema], refusals: [404] },
  { id: 'streamEvents', tag: 'events', method: 'get', path: '/v1/events', summary: 'A stream of hints at what changed; `hello` comes first. `presence` says who else has an article open that this session reported', who: 'user', success: [200, newsSchema], isStream: true },
  { id: 'reportOpenArticles', tag: 'events', method: 'put', path: '/v1/presence', summary: 'Report all articles that the pages of this session have open; it counts for 42 seconds, and is stored nowhere', who: 'user', body: presenceBody, success: [204, null] },
  { id: 'readArticleLog', tag: 'log', method: 'get', path: '/v1/articles/{id}/log', summary: 'One page of what happened to an article, newest first', who: 'user', query: articleLogQuery, success: [200, listSchema(logEntrySchema)], refusals: [404] },
  { id: 'readLog', tag: 'log', method: 'get', path: '/v1/log', summary: 'One page of what happened, newest first', who: 'admin', query: logQuery, success: [200, listSchema(logEntrySchema)] },
  { id: 'createUndeliveredText', tag: 'undelivered-texts', method: 'post', path: '/v1/articles/{id}/undelivered-texts', summary: 'Send the agency a text that the article did not accept; for every user who has or had access', who: 'user', headers: ['Idempotency-Key'], body: undeliveredTextCreateBody, success: [201, undeliveredReceiptSchema], answerHeaders: ['Idempotency-Replayed'], refusals: [404, 422] },
  { id: 'listUndeliveredTexts', tag: 'undelivered-texts', method: 'get', path: '/v1/undelivered-texts', summary: 'One page of the texts that writers sent, newest first', who: 'admin', query: undeliveredTextListQuery, success: [200, listSchema(undeliveredTextSchema)] },
  { id: 'readUndeliveredText', tag: 'undelivered-texts', method: 'get', path: '/v1/undelivered-texts/{id}', summary: 'One text that a writer sent', who: 'admin', success: [200, undeliveredTextWithDocumentSchema], refusals: [404] },
  { id: 'updateUndeliveredText', tag: 'undelivered-texts', method: 'patch', path: '/v1/undelivered-texts/{id}', summary: 'Mark a text that a writer sent as dealt with, or not; it is kept', who: 'admin', body: undeliveredTextPatchBody, success: [200, undeliveredTextSchema], refusals: [404] },
]
