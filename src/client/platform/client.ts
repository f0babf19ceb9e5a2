// The typed clients of the platform's APIs: one for each API, and one with all of them. Their common part is
// api-client.ts; the client of the Chat API is ../chat/chat.ts.
import type { PlatformFile } from '../../protocol/types/files.ts';
import { type AdminLists, type AdminMethods, adminApi } from '../operations/admin.ts';
import { type FilesLists, type FilesMethods, filesApi } from '../operations/files.ts';
import { type InboxLists, type InboxMethods, inboxApi } from '../operations/inbox.ts';
import { type RuntimeLists, type RuntimeMethods, runtimeApi } from '../operations/runtime.ts';
import { type SessionLists, type SessionMethods, sessionApi } from '../operations/session.ts';
import { type TablesLists, type TablesMethods, tablesApi } from '../operations/tables.ts';
import { ApiClient } from './api-client.ts';
import type { ClientOptions } from './client-options.ts';
import { downloadFile, type UploadFileInput, uploadFile } from './files.ts';
import type { RestCallOptions } from './rest.ts';

/**
 * A client of the Admin API. Needs `token` and `workspaceId`.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for an invalid input.
 */
export class AdminClient extends ApiClient<AdminMethods, AdminLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminApi]);
  }
}

/** The options of a client without a token. */
export type SessionOptions = Pick<ClientOptions, 'apiUrl' | 'fetch' | 'headers' | 'retry' | 'timeout'>;

/**
 * A client of the Session API, for pages of the server itself: the browser keeps the session in a cookie that scripts cannot
 * read. Other origins are refused. Its methods reject as those of all clients.
 */
export class SessionClient extends ApiClient<SessionMethods, SessionLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: SessionOptions = {}) {
    super(options, [sessionApi], true);
  }
}

/** A client of the Files API. Needs `token` and `botId`. Its methods reject as those of all clients. */
export class FilesClient extends ApiClient<FilesMethods, FilesLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [filesApi]);
  }

  /**
   * Creates or replaces the file of a key and sends its bytes. Returns the file when the server has stored all of them.
   * @throws FileUploadError with the cause; TypeError for an invalid input; the abort reason if aborted.
   */
  uploadFile(input: UploadFileInput): Promise<{ file: PlatformFile }> {
    return uploadFile(this, this.rest, input);
  }

  /**
   * Requests the bytes of a file, by its id or its key. Returns the response when its body begins: read it by
   * `arrayBuffer()`, `text()`, or as a stream by `body`; the signal also ends the body.
   */
  downloadFile(input: { id: string }, options?: Pick<RestCallOptions, 'signal'>): Promise<Response> {
    return downloadFile(this, this.rest, input, options);
  }
}

/** A client of the Tables API. Needs `token` and `botId`. Its methods reject as those of all clients. */
export class TablesClient extends ApiClient<TablesMethods, TablesLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [tablesApi]);
  }
}

/**
 * A client of the Runtime API, for bot code outside of the server. Needs a bot's `token` and `botId`. Its methods
 * reject as those of all clients.
 */
export class RuntimeClient extends ApiClient<RuntimeMethods, RuntimeLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [runtimeApi]);
  }
}

/**
 * A client of the Inbox API, for members who answer visitors. Needs a member's `token` and `workspaceId`. Its methods reject
 * as those of all clients.
 */
export class InboxClient extends ApiClient<InboxMethods, InboxLists> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [inboxApi]);
  }
}

/**
 * A client of all APIs of the platform, with every operation as a method: `listBots`, `getBot`, … Operations of the
 * Admin API and the Inbox API need `workspaceId` (except those about the token itself), all others `botId`. Runs in Node 20 and browsers.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for an invalid input.
 */
export class Client extends ApiClient<
  AdminMethods & FilesMethods & TablesMethods & RuntimeMethods & InboxMethods,
  AdminLists & FilesLists & TablesLists & RuntimeLists & InboxLists
> {
  /** @throws TypeError for invalid options. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminApi, filesApi, tablesApi, runtimeApi, inboxApi]);
  }

  /** As `uploadFile` of FilesClient. */
  readonly uploadFile: FilesClient['uploadFile'] = (input) => uploadFile(this, this.rest, input);

  /** As `downloadFile` of FilesClient. */
  readonly downloadFile: FilesClient['downloadFile'] = (input, options) =>
    downloadFile(this, this.rest, input, options);
}
