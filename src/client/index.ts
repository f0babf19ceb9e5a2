// The published client: what `import … from 'platform-webchat/client'` gives. Nothing lives here.
export type { CallOptions, ChatClientOptions, ListenOptions } from './caller.ts';
export { ChatClient } from './chat.ts';
export { ApiError, isRetryable, NetworkError } from './errors.ts';
export type { Items } from './pages.ts';
export type { Connection, ConnectionState } from './stream.ts';
export { type UploadOptions, upload } from './upload.ts';
export { signUserKey, type UserKeyOptions } from './user-key.ts';
