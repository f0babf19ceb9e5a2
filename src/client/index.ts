// The published client: what `import … from 'platform-webchat/client'` gives. Nothing lives here.
export * from './api-errors.ts';
export type { CallOptions } from './call-options.ts';
export type { ChatClientOptions, ListenOptions } from './caller.ts';
export { ChatClient } from './chat.ts';
export { AdminClient, Client, FilesClient, RuntimeClient, TablesClient } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export { ApiError, isRetryable, NetworkError } from './errors.ts';
export type { Items } from './pages.ts';
export { type FileContent, FileUploadError, type UploadFileInput } from './platform-files.ts';
export { solveChallenge } from './proof.ts';
export type { RestCallOptions } from './rest.ts';
export type { RetryOptions } from './retry.ts';
export type { Connection, ConnectionState } from './stream.ts';
export { type UploadOptions, upload } from './upload.ts';
export { signUserKey, type UserKeyOptions } from './user-key.ts';
export { verifyWebhook, WebhookError, type WebhookRequest } from './webhook.ts';
