// All limits of the platform in one table, with their units.
import { clientLimits } from './interrupts.ts';
import { userLimits } from './user.ts';
import { visitorLimits } from './visitor-limits.ts';
import { emailLength } from './visitors.ts';

export const handoffLimits = {
  /** Characters of the reason of a handoff, and of the name of a person at another desk. */
  reason: 500,
  personName: 200,
  /** Characters of a note, also of that of a bot. */
  note: 10_000,
  /** Characters of the text that visitors search their messages for. */
  searchText: 200,
  /** Unread messages that are counted in the list of a visitor. */
  unread: 99,
  /** Notes of one conversation. */
  notes: 1_000,
  /** Members whom a note mentions, and its files. */
  mentions: 20,
  noteFiles: 10,
  /** Milliseconds after the end of a handoff within which a message of the visitor opens it again: two hours. */
  reopenWithin: 2 * 60 * 60 * 1_000,
  /** Milliseconds for which a conversation can be snoozed at most: a year. */
  snooze: 366 * 24 * 60 * 60 * 1_000,
  /** Activities in one page. */
  activitiesPage: 50,
  /** Characters of the preview of a row of the inbox. */
  preview: 200,
  /** The highest number that is counted. */
  count: 999,
  /** Tags of a conversation, and characters of each. */
  tags: 20,
  tag: 50,
  /** Characters of a search, and the words of it that count. */
  search: 200,
  searchTerms: 8,
  /** Conversations in a page of the search in messages and notes, and characters of the part of a text that it shows. */
  searchPage: 20,
  snippet: 160,
  /** Words by which a row is found, and characters of each that are compared. */
  searchedWords: 200,
  searchedWord: 40,
  /** Canned answers of a member, and of a workspace; characters of the name and of the text of each. */
  ownAnswers: 200,
  sharedAnswers: 500,
  answerName: 50,
  answerText: 4_000,
  /** Intervals of a day of the opening hours, exceptions, and characters of the name of each. */
  intervals: 6,
  exceptions: 200,
  exceptionName: 100,
  /** Teams of a workspace, members of a team, and characters of its name. */
  teams: 100,
  teamMembers: 1_000,
  teamName: 100,
  /** Conversations that a member is assigned: at most, and unless a team says otherwise. */
  capacity: 100,
  defaultCapacity: 5,
  /** Milliseconds after which a member whose inbox is not open any more is not assigned conversations. */
  reachable: 90_000,
  /** Milliseconds in which a member who was assigned a conversation has to answer: three minutes. */
  noAnswerAfter: 3 * 60_000,
  /** Milliseconds between two signals about the place of a visitor in the queue, at least: a minute. */
  placeInterval: 60_000,
  /** Rows in one answer of the changes of the inbox. */
  changes: 200,
  /** Milliseconds for which the ids of deleted conversations are kept, for clients that were away: an hour. */
  changesKept: 60 * 60 * 1_000,
  /** Milliseconds until the presence of a member ends by itself. */
  presence: 40_000,
} as const;

/** Limits of the interrupts of one message. Longer ones are refused: nobody can agree to something that is not shown completely. */
export const interruptLimits = {
  interrupts: 10,
  /** Characters of the question. */
  message: 2_000,
  /** Bytes of the input of the tool as JSON, of the schema of the answer, and of the answer. */
  inputBytes: 16_000,
  schemaBytes: 16_000,
  responseBytes: 16_000,
  /** Bytes of the answer as JSON that the part shows; more is cut there. */
  shownResponseBytes: 4_000,
  /** Bytes of the state that the bot gets back, as JSON. */
  stateBytes: 64_000,
  /** Properties of a form, the choices of one, and characters of a name, a title or a choice, and of a description. */
  properties: 12,
  choices: 100,
  title: 300,
  description: 1_000,
  /** Milliseconds until an interrupt is cancelled: the default, the shortest and the longest time. */
  defaultTime: 15 * 60 * 1_000,
  minTime: 30 * 1_000,
  maxTime: 7 * 24 * 60 * 60 * 1_000,
} as const;

/**
 * MB and GB of published limits are the binary units (2^20 and 2^30 bytes), the larger reading: what fits one MB of 10^6
 * bytes fits, too (docs/decisions/archive/0054-units-of-limits.md).
 */
const megabyte = 1_048_576;
const gigabyte = 1_073_741_824;

export const limits = {
  ...userLimits,
  ...visitorLimits,
  /** Bytes of one Chat API request body (1 MB). */
  chatBodyBytes: megabyte,
  /** Bytes of one Runtime API request body (1 MB). */
  runtimeBodyBytes: megabyte,
  /** Bytes of one Files API request body, not of a file (1 MB). */
  filesBodyBytes: megabyte,
  /** Bytes of one Tables API request body (40 MB). */
  tablesBodyBytes: 40 * megabyte,
  /** Bytes of one event sent to a bot's webhook (100 MB). */
  webhookBytes: 100 * megabyte,
  /** Bytes that are read of the response of a webhook. */
  webhookAnswerBytes: 1_000_000,
  /** Messages in the response of a webhook. */
  webhookMessages: 20,
  /** Characters of a user key in a request body. */
  userKey: 10_000,
  /** Conversations of an anonymous user who can be merged into another user: it is one transaction. */
  mergedConversations: 100,
  /** Messages, events and files of such a user. */
  mergedItems: 10_000,
  /** Bytes of such a user. More would stop other writes for seconds. */
  mergedBytes: 100_000_000,
  /** Pending invitations of one conversation. */
  invitations: 100,
  /** Days after which an invitation expires. */
  invitationDays: 30,
  /** Tags of a conversation, a message or a user; also its properties, and its attributes. */
  tags: 50,
  /** Characters of the name of such a tag. */
  tagName: 100,
  /** Characters of its value. */
  tagValue: 500,
  /** Bytes of one state as JSON (128 KB). */
  stateBytes: 131_072,
  /** States of a conversation or of a user; their bytes together, because each event contains them (1 MB). */
  states: 100,
  statesBytes: 1_000_000,
  /** States of a bot. */
  botStates: 1_000,
  /** Characters of the name of a state, a channel, or the type of an event. */
  runtimeName: 200,
  /** Milliseconds until a state expires: ten years. */
  stateExpiry: 315_360_000_000,
  /** Streamed answers that one bot can have open at a time through the Runtime API. */
  openStreams: 200,
  /** Bytes of one Admin API request body (50 MB), and of the configuration of a bot in it as JSON (1 MB). */
  adminBodyBytes: 50 * megabyte,
  configurationBytes: megabyte,
  /** Values in the lists and objects of one request body: parsing more takes seconds, however short they are. */
  bodyValues: 2_000_000,
  /** Values in the lists and objects of one Admin API request body. */
  adminBodyValues: 100_000,
  /** Characters of the name of a bot, a workspace, a member, a token or an integration. */
  adminName: 200,
  email: emailLength,
  /** Characters of a member's password. */
  passwordMin: 12,
  passwordMax: 200,
  /** Bytes of one Session API request body. */
  sessionBodyBytes: 16_384,
  /** Characters of the address of a bot's webhook. */
  webhookUrl: 2_000,
  /** Characters of the instructions for an agent. */
  agentInstructions: 16_000,
  /** Characters of a question to test an agent. */
  agentTestQuestion: 500,
  /** Further headers of the requests to an agent. */
  agentHeaders: 20,
  /** Bytes of the options of an agent as JSON. */
  agentOptionsBytes: 32_000,
  /** Bytes of the declared parts of a bot as JSON: its states, events, actions and configuration. */
  botDefinitionBytes: 1_000_000,
  /** Declared states, events, actions or tags of a bot, each. */
  botNames: 500,
  /** Characters of a title or a description of a bot. */
  botText: 5_000,
  /** Characters of a text in the profile of a workspace. */
  workspaceText: 2_000,
  /** Tokens of one member, or of one bot. */
  tokens: 100,
  /** Bytes of the payload and the metadata of one message as JSON: of a request body, it is the same megabyte. */
  payloadBytes: megabyte,
  /** The same of a message that a client sends, less the rest of the request body: the ids and the names of fields. */
  messageBytes: megabyte - 1_024,
  /** Limits of the parts of one message. Longer texts and values are cut, except the data of blocks. */
  parts: {
    /** Parts, and the sources among them. */
    parts: 100,
    sources: 20,
    /** Bytes of all parts as JSON. */
    bytes: 64_000,
    /** Characters of a status, a name, a title, and the text of an error. */
    title: 300,
    /** Characters of reasoning. */
    reasoning: 16_000,
    /** Bytes of the input of a tool as JSON, and of its output. */
    valueBytes: 4_000,
    /** Characters of the snippet of a source, and of its address. */
    snippet: 300,
    url: 2_000,
    /** Suggestions, and characters of each label and value. */
    suggestions: 6,
    suggestion: 80,
    /** Bytes of the data of a block as JSON, and characters of its fallback. */
    blockBytes: 16_000,
    fallback: 2_000,
  },
  interrupts: interruptLimits,
  /** Handoffs and the inbox. */
  inbox: handoffLimits,
  /** Tools and context of the page. */
  client: clientLimits,
  /** Characters of one streamed answer, which is drawn again with each piece. */
  streamCharacters: 128_000,
  /** Bytes of one configuration that a bot sends to a page: each page that is open parses and applies it. */
  pageConfigurationBytes: 128_000,
  /** Characters of an id that a client has chosen for a conversation (a foreign id). */
  foreignId: 70,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** Bytes of one uploaded file, unless a setting of the server changes the limit. */
  fileBytes: 100_000_000,
  /** Bytes of one uploaded file that no setting can exceed (1 GB). */
  maxFileBytes: gigabyte,
  /** Bytes of the largest file that is indexed. */
  indexedFileBytes: 95_000_000,
  /** Passages of one file; with more, its indexing fails. */
  filePassages: 100_000,
  /** Passages in one call of `setFilePassages`. */
  newPassages: 1_000,
  /** Characters of one passage. */
  passageText: 10_000,
  /** Bytes of the query of a file search, in UTF-8 (1 KB). */
  searchQueryBytes: 1_024,
  /** Results of one file search (50). */
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
  /** Knowledge bases that the deployment of an agent names. */
  agentKnowledgeBases: 100,
  /** Days that `expiresAt` may be in the future. */
  fileExpiryDays: 90,
  /** Tags in one filter. */
  filterTags: 20,
  /** Values for one tag of a filter. */
  filterValues: 100,
  /** Ids in the filter of a list. */
  filterIds: 50,
  /** Default number of files in one page of a list. */
  filesPage: 20,
  /** Passages in one page of a file. */
  passagesPage: 200,
  /** Default number of items in one page of a list. */
  pageSize: 50,
  /** Bytes of the items in one page of a list of messages, files or tables, and of an export, if it has more than one item. */
  pageBytes: 5_000_000,
  /** The largest page size that a caller can request. */
  maxPageSize: 1_000,
  /** Limits of the Tables API. */
  tables: {
    /** Characters of a table's name. */
    name: 64,
    /** Columns of a table. */
    columns: 20,
    /** Characters of a column's name. */
    columnName: 30,
    /** Bytes of a table's schema as JSON: every request parses it. */
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
    /** The largest id of a row: a signed 32-bit integer. */
    rowId: 2_147_483_647,
    /** Rows, or ids, in one request, and rows in one response. */
    rows: 1_000,
    /** Default number of rows in a response. */
    defaultRows: 100,
    /** Bytes of one response with rows (the same as for a request). */
    answerBytes: 40 * megabyte,
    /** Rows of a table for an upsert by a column that is not its key column, because it reads all rows. */
    scannedRows: 10_000,
    /** Rows of a table whose key column can be set: all are written in one transaction, which blocks other requests. */
    keyedRows: 100_000,
    /** Tables of a bot. */
    tables: 1_000,
    /** Characters of a search query. */
    search: 1_024,
    /** Different words of a search query; further ones are ignored. */
    searchWords: 32,
    /** Conditions in one filter; a regular expression counts as 100. */
    conditions: 1_000,
    /** List items that the conditions of one filter read, in all rows together: a second of work in the worst case. */
    filterItems: 20_000_000,
    /** Characters of a regular expression, and instructions of its compiled program. */
    pattern: 500,
    patternProgram: 500,
    /** Characters that patterns read in one request, in all rows together: a second of work in the worst case. */
    patternWork: 2_000_000,
    /** The last row that a sorted response can contain: `offset` and `limit` together. */
    orderedRows: 100_000,
    /** Characters of sort keys and group keys that are kept in memory at once. */
    sortText: 50_000_000,
    /** Groups, and different values that `unique` counts, in one response. */
    groups: 100_000,
    /** Bytes of one row in an imported file. */
    importedRowBytes: 1_000_000,
    /** Bytes of an imported file after decompression. */
    importBytes: gigabyte,
    /** Refused rows that a job records. */
    jobWarnings: 100,
  },
} as const;

/** A foreign id of a conversation: letters, digits, `_`, `-`, `/`, `\`, 1 to 70 characters. */
export const foreignIdPattern = /^[A-Za-z0-9_\-/\\]{1,70}$/;

/** The file name of a module with bot code, never a path. */
export const botCodePattern = /^[A-Za-z0-9_][\w.-]{0,99}\.(?:js|mjs|ts)$/;
