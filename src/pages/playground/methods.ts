// The methods of `window.platform` that the playground has buttons for, and what each is given.
import type { Platform } from '../../protocol/platform.ts';

export interface Method {
  name: Exclude<keyof Platform, 'push' | 'on' | 'config'>;
  /** What it takes, with something to begin with. */
  takes?: { name: string; kind: 'text' | 'number' | 'JSON'; sample: string };
}

/** `config` is missing because every control calls it, `on` because the log does, `push` because nothing has to wait. */
export const methods: readonly Method[] = [
  { name: 'open' },
  { name: 'close' },
  { name: 'toggle' },
  { name: 'getUser' },
  { name: 'restartConversation' },
  { name: 'logout' },
  { name: 'destroy' },
  { name: 'doctor' },
  { name: 'sendMessage', takes: { name: 'message', kind: 'text', sample: 'Hello' } },
  { name: 'sendEvent', takes: { name: 'event', kind: 'JSON', sample: '{"type": "ping"}' } },
  { name: 'updateUser', takes: { name: 'user', kind: 'JSON', sample: '{"name": "Ada"}' } },
  { name: 'identify', takes: { name: 'userKey', kind: 'text', sample: '' } },
  { name: 'setUnreadMessageCount', takes: { name: 'count', kind: 'number', sample: '3' } },
  { name: 'init', takes: { name: 'options', kind: 'JSON', sample: '{}' } },
];

/** The argument that a text means. Throws a SyntaxError for JSON that is none. */
export function argumentOf(kind: 'text' | 'number' | 'JSON', text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return text.trim() === '' ? undefined : Number(text);
  return text.trim() === '' ? undefined : JSON.parse(text);
}
