import type { Generated } from 'kysely'
import type { MailChoice } from '../../domain/wire/mails.ts'
import type { NoteKind } from '../../domain/wire/notes.ts'
import type { ArticleState } from '../../domain/wire/progress.ts'
import type { UndeliveredReason } from '../../domain/wire/undelivered.ts'
import type { Role } from '../../domain/wire/users.ts'

/**
 * The rows as both engines keep them: ids and times as text (ISO, UTC), flags as 0 or 1, JSON as text.
 * `name_folded` is the name as letters are compared (domain/text/folding.ts), for search and sort.
 */
export type Tables = {
  users: UserRow
  clients: ClientRow
  client_users: ClientUserRow
  articles: ArticleRow
  article_revisions: RevisionRow
  idempotency: IdempotencyRow
  sessions: SessionRow
  reset_tokens: ResetTokenRow
  authenticator_apps: AuthenticatorAppRow
  passkeys: PasskeyRow
  recovery_codes: RecoveryCodeRow
  remembered_devices: RememberedDeviceRow
  second_step_tickets: TicketRow
  mail_outbox: MailRow
  article_news: ArticleNewsRow
  article_mails: ArticleMailRow
  morning_mails: MorningMailRow
  mail_choices: MailChoiceRow
  followed_clients: FollowedClientRow
  mail_bounces: MailBounceRow
  invitations: InvitationRow
  meta: MetaRow
  changes: ChangeRow
  deleted_articles: DeletedArticleRow
  deleted_revisions: RevisionRow
  hand_ins: HandInRow
  program_tokens: ProgramTokenRow
  program_token_clients: ProgramTokenClientRow
  receipt_keys: ReceiptKeyRow
  article_notes: ArticleNoteRow
  article_plans: ArticlePlanRow
  brief_templates: BriefTemplateRow
  article_marks: ArticleMarksRow
  article_standing: ArticleStandingRow
  standing_counts: StandingCountRow
  undelivered_texts: UndeliveredTextRow
  audit: AuditRow
  article_counts: ArticleCountRow
  visits: VisitRow
}

export type UserRow = {
  id: string
  name: string
  name_folded: string
  email: string
  password_hash: string
  role: Role
  is_email_verified: 0 | 1
  created_at: string
  updated_at: string
}

export type ClientRow = {
  id: string
  name: string
  name_folded: string
  moonowl: 0 | 1
  created_at: string
  updated_at: string
  /** Set when the client was deleted: it is gone from lists, its members keep access by direct link. */
  deleted_at: string | null
}

export type ClientUserRow = { client_id: string; user_id: string }

export type ArticleRow = {
  id: string
  name: string
  name_folded: string
  client_id: string | null
  word_minimum: number
  completed: 0 | 1
  /** Counts every change of the row; `text_version` counts changes of the text alone. */
  version: number
  text_version: number
  text_updated_by: string | null
  words: number
  created_at: string
  updated_at: string
  keyword_list: string
  /** Far back, so that reading the front of a row never reads it. */
  article_text: string
  /**
   * Folded name of the client as the list of articles shows it, '' without a client and for a deleted one.
   * The column comes after the text, so it is read from an index and never from the row.
   */
  client_name_folded: string
  /** 1 unless `keyword_list` is empty. Read through indexes, as the column comes after the text. */
  has_entities: 0 | 1
  /**
   * Name and time of the revision with the text of this `text_version`, read with the text alone. Null, or of an earlier
   * version, where a release that did not keep them wrote the text.
   */
  revision_name: string | null
  revision_at: string | null
  revision_version: number | null
}

/** Kept for a while after its deletion; its revisions are in `deleted_revisions`. */
export type DeletedArticleRow = ArticleRow & { deleted_at: string; deleted_by: string | null }

export type RevisionReason = 'created' | 'autosave' | 'merge' | 'plain' | 'restore'

/** Every text an article ever had, the current one included. */
export type RevisionRow = {
  article_id: string
  text_version: number
  base_text_version: number | null
  words: number
  author_id: string | null
  idem_key: string | null
  reason: RevisionReason
  created_at: string
  article_text: string
}

/** A completion of an article: `text_version` is the text that was handed in, which is never pruned. */
export type HandInRow = {
  article_id: string
  /** Counts the article's completions from 1. */
  number: number
  text_version: number
  at: string
  /** User that completed it; null where unknown, like the name. */
  user_id: string | null
  user_name: string | null
  /** Client of the article at that moment; null where there was none, and where there is no receipt. */
  client_id: string | null
  /** JSON, signed; null for a hand-in before receipts were kept. Never changed. */
  receipt: string | null
  /** Null until an admin reopened the article. */
  reopened_at: string | null
  reopened_by: string | null
  reopener_name: string | null
  /** As in the receipt, which a trigger reads; null without one. A month is summed from the index that has both. */
  words: number | null
  word_minimum: number | null
  /**
   * Its place in the order in which programs read all hand-ins, assigned by a trigger: rises with each commit, and never
   * falls behind the clock, so that it also rises after the restore of a backup.
   */
  position: Generated<number>
}

/** A token with which a program reads what was handed in for some clients. It works while its owner is an admin. */
export type ProgramTokenRow = {
  id: string
  name: string
  /** SHA-256 of the token, which is stored nowhere. */
  digest: string
  /** The admin who made it or took it over. Deleting the account deletes it. */
  owner_id: string
  created_at: string
  expires_at: string
  /** A day in UTC, `YYYY-MM-DD`; null before the first use. */
  last_used_on: string | null
}

/** A public key of receipts; the highest number is in use. Never changed and never deleted. */
export type ReceiptKeyRow = { number: number; public_key: string; since: string }

export type ProgramTokenClientRow = { token_id: string; client_id: string }

/** Only added. One that its author took back keeps its row, without its words. */
export type ArticleNoteRow = {
  /** Ids rise with time. */
  id: string
  article_id: string
  kind: NoteKind
  body: string
  author_id: string
  author_name: string
  /** Number of the hand-in that it is about; null without one, and 0 for words of the text. */
  hand_in: number | null
  created_at: string
  /** Name that its device gave it; null where there is none, and then the id is its name. */
  ref: string | null
  /** The note that an answer or a change is about, by its name. */
  about: string | null
  /** JSON. */
  anchor: string | null
  suggestion: string | null
}

/** Missing while an article was never planned. */
export type ArticlePlanRow = {
  article_id: string
  brief: string
  /** A day of the agency, `YYYY-MM-DD`. */
  due_on: string | null
  /** Counts the changes from 1. */
  counter: number
  changed_by: string
  changed_by_name: string
  changed_at: string
}

/** A copy: later changes of the article it came from do not change it. */
export type BriefTemplateRow = {
  id: string
  name: string
  /** Templates whose names differ in case only are the same. */
  name_caseless: string
  brief: string
  /** JSON, as `keyword_list`. */
  outline: string
  word_minimum: number
  keyword_list: string
  changed_by: string
  changed_by_name: string
  changed_at: string
}

/**
 * What every reader of an article is shown of its latest hand-in, its notes and its plan, in one row. Maintained by
 * triggers on their tables; missing while there is none of them.
 */
export type ArticleMarksRow = {
  article_id: string
  /** Number of the latest hand-in, and its time and user; 0 and null without one. */
  hand_ins: number
  handed_in_at: string | null
  handed_in_by: string | null
  /** Of all kinds, and those about words that are open. */
  notes: number
  open_notes: number
  /** Counter of the plan; 0 without one. */
  plan_counter: number
  due_on: string | null
}

/**
 * What the list of progress sorts and filters by, as it was counted last. Triggers begin and remove the row with its
 * article; a job counts it after changes. No reference to articles.
 */
export type ArticleStandingRow = {
  article_id: string
  /** Version of the article, and counter of its plan, that were counted; 0 and 0 before the first count. */
  version: number
  plan_counter: number
  /** Entities of the category Must Use; null before the first count. */
  must_used: number | null
  must_total: number | null
  words: number
  name_folded: string
  client_id: string | null
  state: ArticleState
  /** '' without a date. */
  due_on: string
  /** As `due_on`, and 9999-12-31 without a date. */
  due_last: string
  /** '' while nothing was written. */
  last_words_at: string
  /** `riskKey` of domain/article-state.ts. */
  risk: string
  /** When it was counted; before the first count, since when it waits. */
  counted_at: string
}

/** Number of standings in each state by date; clients as in `article_counts`. Maintained by triggers on article_standing. */
export type StandingCountRow = {
  client_id: string
  state: ArticleState
  due_on: string
  articles: number
}

/** The stored response to a change that was applied, for a retry under the same key. */
export type IdempotencyRow = {
  user_id: string
  key: string
  request_hash: string
  status: number
  response: string
  created_at: string
  expires_at: string
}

/** One row per sign-in. Tokens are derived from `id` and `counter`; nothing secret is stored. */
export type SessionRow = {
  id: string
  user_id: string
  role: Role
  counter: number
  seen_counter: number
  created_at: string
  rotated_at: string
  expires_at: string
}

export type ResetTokenRow = {
  digest: string
  user_id: string
  created_at: string
  expires_at: string
}

export type AuthenticatorAppRow = {
  user_id: string
  /** Encrypted; see `app-secret.ts`. */
  secret: string
  /** Time step of the newest code that was accepted. No code of this or an earlier step is accepted again. */
  last_step: number
  created_at: string
  /** Null until the first code was entered; the app is no second step before. */
  confirmed_at: string | null
}

export type PasskeyRow = {
  /** The id of the credential, chosen by the authenticator. */
  id: string
  user_id: string
  /** Base64url of COSE. */
  public_key: string
  /** Uses that the authenticator counted, as decimal text: up to 32 bits without a sign. */
  counter: string
  /** JSON. */
  transports: string
  name: string
  created_at: string
  used_at: string | null
}

/** A code that was not used yet. */
export type RecoveryCodeRow = { user_id: string; digest: string }

/** A device that proved the second step, and is not asked again until `expires_at`. */
export type RememberedDeviceRow = { digest: string; user_id: string; expires_at: string }

/** Proof of the password, or of a session, which waits for the second step. */
export type TicketRow = {
  digest: string
  user_id: string
  purpose: TicketPurpose
  /** For passkeys; null where the account has none. */
  challenge: string | null
  tries: number
  expires_at: string
}

/** A ticket is good for what it was given for, and for nothing else. */
export type TicketPurpose = 'log-in' | 'change' | 'add-passkey'

/** Mails with a link to set a password: requested by the user, or sent by an admin to a new user. */
export type LinkKind = 'reset' | 'invitation'
export type SecondStepMailKind =
  | 'second-step-added'
  | 'second-step-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
/** Mails about articles: what happened to one, or the state of all of them in the morning. */
export type ArticleMailKind = 'article' | 'morning'
export type MailKind =
  | LinkKind
  | SecondStepMailKind
  | ArticleMailKind
  | 'password-changed'
  | 'email-changed'

/** Kept until the user logs in, resets the password or gets one from an admin. */
export type InvitationRow = {
  mail_id: string
  user_id: string
  /** The admin who sent it. */
  sender_id: string | null
  /** The stored form of the token in its link; null until the mail is composed. */
  digest: string | null
  created_at: string
  expires_at: string
  /** When a newer link took its place; null otherwise. */
  replaced_at: string | null
}

/** A mail that was not taken by the mail server yet. Its words are made when it is sent. */
export type MailRow = {
  /** Ids rise with time. */
  id: string
  kind: MailKind
  recipient: string
  created_at: string
  /** Given up then. */
  expires_at: string
  tries: number
  next_try_at: string
  /** When the mail server refused it permanently; it is not retried. Null otherwise. */
  refused_at: string | null
  /** The admin named in an invitation; null for other mails. */
  sender_id: string | null
  /** The reader of a mail about articles, whatever the address is by then; null for other mails. */
  user_id: string | null
  /** Of the kind `article`; null for other mails. */
  article_id: string | null
  /** JSON of the news that the mail is about, for the same kind. */
  news: string | null
}

export type NewsKind = 'handed-in' | 'reopened' | 'note'

/** What happened to an article and is in no mail yet. Triggers insert it with the change. */
export type ArticleNewsRow = {
  article_id: string
  kind: NewsKind
  /** The number of the hand-in, or the id of the note. */
  name: string
  at: string
}

/** When the last mail about this article was sent to this user. */
export type ArticleMailRow = { user_id: string; article_id: string; sent_at: string }

/** The user has or had the mail of the morning of this day of the agency. */
export type MorningMailRow = { user_id: string; day: string }

/** Missing while the choice is that of the role. */
export type MailChoiceRow = { user_id: string; choice: MailChoice }

/** A client whose hand-ins are mailed to this admin. */
export type FollowedClientRow = { user_id: string; client_id: string }

/** How often a mail server said that it does not know the address, since it last took a mail to it. */
export type MailBounceRow = { address: string; bounces: number }

/**
 * How many articles a client has in each state; the rows of '' count all, those of '-' the articles without a client.
 * Maintained by triggers on articles.
 */
export type ArticleCountRow = {
  client_id: string
  completed: 0 | 1
  has_entities: 0 | 1
  articles: number
}

/** Per admin: time of the latest request of the current visit, and when the previous visit ended. */
export type VisitRow = { user_id: string; seen_at: string; since: string | null }
export type MetaRow = { key: string; value: string }

/** One of the latest changes. `article_id` is null when it was not one article's content that changed. */
export type ChangeRow = { seq: number; article_id: string | null }

/** A text that its article did not take, sent to the agency by its writer. Names are those of that moment. */
export type UndeliveredTextRow = {
  /** Ids rise with time. */
  id: string
  article_id: string
  article_name: string
  user_id: string
  user_name: string
  reason: UndeliveredReason
  words: number
  created_at: string
  /** Null until an admin has dealt with it. */
  done_at: string | null
  done_by: string | null
  article_text: string
}

export type AuditRow = {
  /** Ids rise with time. */
  id: string
  at: string
  /** Null: a command on the server. Empty: an account that was gone when the entry was made. */
  actor_id: string | null
  action: string
  subject_id: string
  /** JSON. What changed, roles, ids and names; never a password, an address or a text. */
  detail: string
  /** Names at that moment. Null where unknown, and in rows of an earlier release for what is gone. */
  actor_name: string | null
  subject_name: string | null
  subject_name_folded: string | null
  /** The entry whose line of the log shows this one too. Null: the entry has its own line. */
  folded_into: string | null
}
