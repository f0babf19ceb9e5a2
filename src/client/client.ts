// The typed clients of the platform's APIs: one for each family, and one with all of them. What they have in common is
// family.ts; the Chat API of visitors is chat.ts.
import type { AdminOperations } from '../protocol/admin-operations.ts';
import type { FileOperations } from '../protocol/file-operations.ts';
import type { PlatformFile } from '../protocol/platform-file.ts';
import type { RuntimeOperations } from '../protocol/runtime-operations.ts';
import type { TableOperations } from '../protocol/table-operations.ts';
import type { ClientOptions } from './client-options.ts';
import { adminFamily, filesFamily, runtimeFamily, tablesFamily } from './families.ts';
import { FamilyBase } from './family.ts';
import { downloadFile, type UploadFileInput, uploadFile } from './platform-files.ts';
import type { RestCallOptions } from './rest.ts';

/**
 * A client of the Admin API alone. Needs `token` and `workspaceId`.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for what cannot be sent.
 */
export class AdminClient extends FamilyBase<AdminOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminFamily]);
  }
}

/** A client of the Files API alone. Needs `token` and `botId`. Its methods reject as those of all clients. */
export class FilesClient extends FamilyBase<FileOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [filesFamily]);
  }

  /**
   * Makes or replaces the file of a key and sends its bytes; gives the file as it is when the server has them all.
   * @throws FileUploadError with what went wrong; TypeError for an input that is none; the abort reason when aborted.
   */
  uploadFile(input: UploadFileInput): Promise<{ file: PlatformFile }> {
    return uploadFile(this, this.rest, input);
  }

  /**
   * Asks for the bytes of a file, by its id or its key. Gives the answer once it has begun: read it by `arrayBuffer()`,
   * `text()`, or as a stream by `body`; the signal also ends that.
   */
  downloadFile(input: { id: string }, options?: Pick<RestCallOptions, 'signal'>): Promise<Response> {
    return downloadFile(this, this.rest, input, options);
  }
}

/** A client of the Tables API alone. Needs `token` and `botId`. Its methods reject as those of all clients. */
export class TablesClient extends FamilyBase<TableOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [tablesFamily]);
  }
}

/**
 * A client of the Runtime API alone, for bot code outside of the server. Needs a bot's `token` and `botId`. Its methods
 * reject as those of all clients.
 */
export class RuntimeClient extends FamilyBase<RuntimeOperations> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [runtimeFamily]);
  }
}

/**
 * A client of all APIs of the platform, every operation a method: `listBots`, `getBot`, … Operations of the Admin API
 * need `workspaceId` (but for those that tell what a token is), all others `botId`. Runs in Node 20 and in browsers.
 * Every method rejects with ApiError (of the class of its type), NetworkError, or TypeError for what cannot be sent.
 */
export class Client extends FamilyBase<
  AdminOperations & FileOperations & TableOperations & RuntimeOperations
> {
  /** @throws TypeError for options that cannot work. */
  constructor(options: ClientOptions = {}) {
    super(options, [adminFamily, filesFamily, tablesFamily, runtimeFamily]);
  }

  /** As `uploadFile` of FilesClient. */
  readonly uploadFile: FilesClient['uploadFile'] = (input) => uploadFile(this, this.rest, input);

  /** As `downloadFile` of FilesClient. */
  readonly downloadFile: FilesClient['downloadFile'] = (input, options) =>
    downloadFile(this, this.rest, input, options);
}
