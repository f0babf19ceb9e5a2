// The published client: the exports of `platform-webchat/client`.
export type { ChatClientOptions, ListenOptions } from './chat/caller.ts';
export { ChatClient } from './chat/chat.ts';
export { solveChallenge } from './chat/proof.ts';
export type { Connection, ConnectionState } from './chat/stream.ts';
export { type UploadOptions, upload } from './chat/upload.ts';
export { signUserKey, type UserKeyOptions } from './chat/user-key.ts';
export * from './core/api-errors.ts';
export { ApiError, isRetryable, NetworkError } from './core/errors.ts';
export type { CallOptions } from './core/http.ts';
export type { Items } from './core/pages.ts';
export type { RetryOptions } from './core/retry.ts';
export {
  AdminClient,
  Client,
  FilesClient,
  InboxClient,
  RuntimeClient,
  SessionClient,
  type SessionOptions,
  TablesClient,
} from './platform/client.ts';
export type { ClientOptions } from './platform/client-options.ts';
export { type FileContent, FileUploadError, type UploadFileInput } from './platform/files.ts';
export type { RestCallOptions } from './platform/rest.ts';
export { verifyWebhook, WebhookError, type WebhookRequest } from './platform/webhook.ts';
