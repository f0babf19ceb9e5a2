// The methods of `window.platform` that the playground has buttons for, and their arguments.
import type { Platform } from '../../protocol/page-api/page-api.ts';

export interface Method {
  name: Exclude<keyof Platform, 'push' | 'on' | 'config'>;
  /** The argument, with a sample value. */
  takes?: { name: string; kind: 'text' | 'number' | 'JSON'; sample: string };
}

/** `config` is missing because every control calls it, `on` because the log does, `push` because the script has loaded. */
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
  { name: 'consent', takes: { name: 'isGiven', kind: 'JSON', sample: 'false' } },
  { name: 'init', takes: { name: 'options', kind: 'JSON', sample: '{}' } },
];

/** Parses a text as the argument of a method. Throws a SyntaxError for invalid JSON. */
export function argumentOf(kind: 'text' | 'number' | 'JSON', text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return text.trim() === '' ? undefined : Number(text);
  return text.trim() === '' ? undefined : JSON.parse(text);
}
