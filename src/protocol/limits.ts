// Every limit of the platform in one table, with its unit. No behaviour.

import { userLimits } from './user.ts';
import { visitorLimits } from './visitor-limits.ts';

export const limits = {
  ...userLimits,
  ...visitorLimits,
  /** Bytes of one Chat API request body (1 MB). */
  chatBodyBytes: 1_000_000,
  /** Bytes of one Runtime API request body (1 MB). */
  runtimeBodyBytes: 1_000_000,
  /** Bytes of one Files API request body, not of a file (1 MB). */
  filesBodyBytes: 1_000_000,
  /** Bytes of one Tables API request body (40 MB). */
  tablesBodyBytes: 40_000_000,
  /** Bytes of one event sent to a bot's webhook (100 MB). */
  webhookBytes: 100_000_000,
  /** Bytes of what a webhook answers that are read. */
  webhookAnswerBytes: 1_000_000,
  /** Messages that a webhook may answer at once with. */
  webhookMessages: 20,
  /** Invitations of one conversation that wait for an answer. */
  invitations: 100,
  /** Days after which an invitation ends. */
  invitationDays: 30,
  /** Answers that one bot may write at a time through the Runtime API. */
  openStreams: 200,
  /** Bytes of one Admin API request body (50 MB). */
  adminBodyBytes: 50_000_000,
  /** Bytes of one Admin API request body that holds no dashboard configuration: a handful of short texts. */
  adminFormBytes: 100_000,
  /** Values in the lists and objects of one request body: to read more takes seconds, however short they are. */
  bodyValues: 2_000_000,
  /** Values in the lists and objects of one Admin API request body. */
  adminBodyValues: 100_000,
  /** Characters of the name of a bot, a workspace, a member, a token or an integration. */
  adminName: 200,
  /** Characters of an e-mail address (RFC 5321, 4.5.3.1.3, without its brackets). */
  email: 254,
  /** Characters of the address of a bot's webhook. */
  webhookUrl: 2_000,
  /** Tokens that one member, or one bot, may have. */
  tokens: 100,
  /** Bytes of one message payload as JSON (the platform's limit behind the Chat API). */
  payloadBytes: 128_000,
  /** Characters of an id that a client chose (a foreign id). */
  foreignId: 70,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** Bytes of one uploaded file, unless the server sets less or more. */
  fileBytes: 100_000_000,
  /** Bytes of one uploaded file that no setting can exceed (1 GB). */
  maxFileBytes: 1_000_000_000,
  /** Bytes of the largest file that is indexed. */
  indexedFileBytes: 95_000_000,
  /** Passages of one file; with more, its indexing fails. */
  filePassages: 100_000,
  /** Passages of one `setFilePassages`. */
  newPassages: 1_000,
  /** Characters of one passage. */
  passageText: 10_000,
  /** Bytes of a file search, in UTF-8 (1 KB). */
  searchQueryBytes: 1_024,
  /** Passages of one file search (50). */
  searchResults: 50,
  /** Characters of the key of a platform file. */
  platformFileKey: 500,
  /** Tags of one file. */
  fileTags: 50,
  /** Characters of the name of a tag. */
  fileTagName: 100,
  /** Characters of the value of a tag. */
  fileTagValue: 1_000,
  /** Bytes of a file's metadata as JSON. */
  fileMetadataBytes: 32_000,
  /** Characters of the name of a knowledge base. */
  knowledgeBaseName: 200,
  /** Days that `expiresAt` may be away. */
  fileExpiryDays: 90,
  /** Tags in one filter. */
  filterTags: 20,
  /** Values for one tag of a filter. */
  filterValues: 100,
  /** Ids in the filter of a list of files. */
  filterIds: 50,
  /** Files in one page of a list, when the caller does not say. */
  filesPage: 20,
  /** Passages in one page of a file. */
  passagesPage: 200,
  /** Items in one page of a list, unless it is asked for fewer or more. */
  pageSize: 50,
  /** Characters of the items in one page of a list of files or tables, where there is more than one. */
  pageBytes: 5_000_000,
  /** Items in one page that may be asked for. */
  maxPageSize: 1_000,
  /** Of the Tables API. */
  tables: {
    /** Characters of a table's name. */
    name: 64,
    /** Columns of a table. */
    columns: 20,
    /** Characters of a column's name. */
    columnName: 30,
    /** Bytes of a table's schema as JSON: it is read with every request. */
    schemaBytes: 100_000,
    /** Levels of objects and arrays within a schema, a value or a filter. */
    depth: 32,
    /** Tags of a table, and characters of their keys and values. */
    tags: 50,
    tagKey: 100,
    tagValue: 1_000,
    /** Bytes of a row as JSON, for each unit of the table's factor (4 KB). */
    rowBytes: 4_096,
    factor: 30,
    /** The greatest id of a row: 32 bits with a sign. */
    rowId: 2_147_483_647,
    /** Rows, or ids, in one request, and rows in one answer. */
    rows: 1_000,
    /** Rows in an answer when nobody says. */
    defaultRows: 100,
    /** Bytes of one answer with rows (as of one request). */
    answerBytes: 40_000_000,
    /** Rows of a table in which an upsert may look for a column that is not its key column: it reads all of them. */
    scannedRows: 10_000,
    /** Rows of a table whose key column can be set: all are written in one go, and others wait. */
    keyedRows: 100_000,
    /** Tables of a bot. */
    tables: 1_000,
    /** Characters of a search. */
    search: 1_024,
    /** Different words of a search that are looked for: the first. */
    searchWords: 32,
    /** Conditions in one filter; a regular expression counts as 100. */
    conditions: 1_000,
    /** Items of lists that the conditions of one filter read, in all rows together: a second of work at the worst. */
    filterItems: 20_000_000,
    /** Characters of a regular expression, and instructions of the program that it becomes. */
    pattern: 500,
    patternProgram: 500,
    /** Characters that patterns read in one request, all rows together: a second of work at the worst. */
    patternWork: 2_000_000,
    /** Rows that an ordered answer may reach to: `offset` and `limit` together. */
    orderedRows: 100_000,
    /** Characters of what is sorted by, and of what tells groups apart, that are kept at once. */
    sortText: 50_000_000,
    /** Groups, and different values that `unique` counts, in one answer. */
    groups: 100_000,
    /** Bytes of one row in a file that is imported. */
    importedRowBytes: 1_000_000,
    /** Bytes of a file that is imported, when it is unpacked. */
    importBytes: 1_000_000_000,
    /** Refused rows that a job remembers. */
    jobWarnings: 100,
  },
} as const;

/** A foreign id: letters, digits, `_`, `-`, `/`, `\`, 1 to 70 characters. */
export const foreignIdPattern = /^[A-Za-z0-9_\-/\\]{1,70}$/;

/** The name of a module with bot code: a file, never a path. */
export const botCodePattern = /^[A-Za-z0-9_][\w.-]{0,99}\.(?:js|mjs|ts)$/;
