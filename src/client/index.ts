// The published client: what `import … from 'platform-webchat/client'` gives. Nothing lives here.
export { type CallOptions, ChatClient, type ChatClientOptions, type ListenOptions } from './chat.ts';
export { ApiError, isRetryable, NetworkError } from './errors.ts';
export type { Items } from './pages.ts';
export type { Connection, ConnectionState } from './stream.ts';
