/** Limits shared by server and page. The server enforces them, the page warns before they are reached. */

export const NAME_MAX = 200
export const EMAIL_MAX = 254
/** Spec section 5 promises 'At least 8 characters'; the upper bound keeps hashing cheap. No composition rule. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 256
export const PASSKEY_NAME_MAX = 60
export const WORD_MINIMUM_MAX = 1_000_000

export const KEYWORD_MAX = 200
export const KEYWORDS_MAX = 5_000
export const SOURCE_MAX = 10
export const CATEGORY_MAX = 50
/** Maximum length of a score given as text. */
export const SCORE_MAX = 200
/** Maximum rows of an uploaded list, without headers and empty rows. */
export const CSV_ROWS_MAX = 20_000
export const CSV_COLUMNS_MAX = 100

export const DOCUMENT_DEPTH_MAX = 64
/** Maximum size of a document. */
export type DocumentSize = { nodes: number; characters: number }
export const ARTICLE_SIZE: DocumentSize = { nodes: 50_000, characters: 1_000_000 }
/** An undelivered text may be larger than an article. */
export const UNDELIVERED_SIZE: DocumentSize = { nodes: 200_000, characters: 4_000_000 }

/** Length of the address of a link. */
export const LINK_ADDRESS_MAX = 2_048

/** Nesting of any JSON body, checked before it is parsed. */
export const JSON_DEPTH_MAX = 200

export const AUTH_BODY_BYTES = 8 * 1024
export const ACCOUNT_BODY_BYTES = 128 * 1024
export const ARTICLE_BODY_BYTES = 2 * 1024 * 1024
export const UNDELIVERED_BODY_BYTES = 8 * 1024 * 1024
/** Several changes of articles in one call. */
export const BATCH_BODY_BYTES = 8 * 1024 * 1024
export const BATCH_CHANGES_MAX = 50
/** Earlier saves that one save may supersede. */
export const SUPERSEDED_MAX = 20

/** Length of a note to an article, and how many an article has at most. */
export const NOTE_MAX = 2_000
export const NOTES_MAX = 1_000
/** Length of the words that a note is about, and how often notes of an article can be done, opened and taken back. */
export const QUOTE_MAX = 1_000
export const NOTE_CHANGES_MAX = 10_000
/** A note can be taken back by its author for this time. */
export const TAKE_BACK_MS = 60_000
/** How often an article can be completed. */
export const HAND_INS_MAX = 1_000
/** Length of the unused keywords that a receipt names. */
export const RECEIPT_KEYWORDS_LENGTH = 100_000
export const RECEIPT_BODY_BYTES = 512 * 1024
/** Page size of receipts. */
export const HAND_INS_LIMIT_MAX = 50

/** Page size of what programs read, and the limit of all texts and receipts of one page; a single one may exceed it. */
export const HAND_OVERS_LIMIT_MAX = 100
export const HAND_OVERS_BYTES = 4 * 1024 * 1024
export const PROGRAM_TOKENS_MAX = 100
/** Clients that one admin follows. */
export const FOLLOWED_CLIENTS_MAX = 1_000
export const PROGRAM_TOKEN_CLIENTS_MAX = 100
export const PROGRAM_TOKEN_DAYS_MAX = 365

/** Templates of briefs. */
export const TEMPLATES_MAX = 200

/** Length of a brief. */
export const BRIEF_MAX = 20_000
/** Headings of an outline. */
export const OUTLINE_MAX = 200
/** Articles that one list can create or change at once. */
export const LISTED_ARTICLES_MAX = 200
export const LISTED_ARTICLES_BYTES = 8 * 1024 * 1024
/** Articles that one change of their settings can have. */
export const BULK_ARTICLES_MAX = 1_000
/** Page size of the progress of articles. */
export const PROGRESS_LIMIT_MAX = 100
/** Names of entities and of people that an answer gives; more are only counted. */
export const NAMED_MAX = 100

/** Open articles that a session may report, hashes for each, and other users that are named. */
export const PRESENCE_ARTICLES_MAX = 20
export const PRESENCE_BLOCKS_MAX = 4
export const PRESENCE_NAMES_MAX = 3
export const PRESENCE_BODY_BYTES = 8 * 1024

export const LIST_LIMIT_DEFAULT = 10
export const LIST_LIMIT_MAX = 1_000
/** People that one list can invite: as many mails as leave in an hour to addresses that have not proved to be their own. */
export const LISTED_PEOPLE_MAX = 50
/** Accounts whose open invitations one request can read. */
export const INVITATIONS_MAX = 100
/** Page size of articles with their texts, and the limit of all texts of one page together. */
export const LIST_TEXTS_MAX = 50
export const LIST_TEXTS_BYTES = 8 * 1024 * 1024
/** Articles of one response with copies, and the limit of all their texts together; a single article may exceed it. */
export const COPIES_MAX = 40
export const COPIES_BYTES = 256 * 1024
export const PAGE_MAX = 1_000_000
export const SORT_KEYS_MAX = 3
export const SEARCH_MAX = 200
export const FILTER_CLIENTS_MAX = 1_000
export const CLIENT_USERS_MAX = 1_000

export const SESSIONS_PER_USER_MAX = 20

/** Quiet time after the last change before it is sent (spec section 9). */
export const AUTOSAVE_QUIET_MS = 1_000
/** Longest time that typing without a pause may go unsent. */
export const AUTOSAVE_MAX_WAIT_MS = 10_000
export const SEARCH_DEBOUNCE_MS = 200
/** The login-expiry banner shows when the refresh token has less than this left (spec section 9). */
export const LOGIN_EXPIRY_WARNING_MS = 24 * 60 * 60 * 1_000
export const HOME_PAGE_SIZE = 5
export const TABLE_PAGE_SIZE = 10
