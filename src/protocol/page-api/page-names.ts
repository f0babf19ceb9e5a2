// The names that a page may use: attributes, options, fields and events. The compiler compares each list with its type.
import type { WebchatUserFields } from '../user.ts';
import type { launcherFields } from './config.ts';
import type { hostPageFields } from './host-page-fields.ts';
import type { ConfigOptions, CreateOptions, PlatformEvents } from './page-api.ts';

/** A missing or an additional name does not compile. */
type Names<T, Mark = 0> = Record<Extract<keyof T, string>, Mark>;

/** The fields that need the host-page bundle: its own, and a place of the record, which that bundle moves. */
export const hostPageFieldNames: Names<
  typeof hostPageFields & Pick<typeof launcherFields, 'storageLocation'>,
  1
> = {
  fabImage: 1,
  additionalStylesheetUrl: 1,
  density: 1,
  textSize: 1,
  zIndex: 1,
  avoid: 1,
  windowSize: 1,
  expandable: 1,
  dockable: 1,
  resizable: 1,
  proactiveMessage: 1,
  proactiveDelay: 1,
  proactive: 1,
  storageLocation: 1,
  webmcp: 1,
};

/** The options of `init()`, `config()` and `create()`. */
export const optionNames: Names<CreateOptions & ConfigOptions> = {
  chatUrl: 0,
  target: 0,
  attributes: 0,
  instance: 0,
  configuration: 0,
  user: 0,
  getUserKey: 0,
  consent: 0,
};

/** The fields of `updateUser()` and of the option `user`. */
export const userFieldNames: Names<WebchatUserFields> = { name: 0, pictureUrl: 0, data: 0, userKey: 0 };

/** The types that `on()` takes, besides `*`. */
export const eventNames: Names<PlatformEvents> = {
  conversation: 0,
  message: 0,
  error: 0,
  customEvent: 0,
  'webchat:initialized': 0,
  'webchat:ready': 0,
  'webchat:opened': 0,
  'webchat:closed': 0,
  unread: 0,
  feedback: 0,
  analytics: 0,
};

/** Correction of an unknown name. `value`: the name of a field is right, and its value is not. */
export type NameKind = 'attribute' | 'configuration' | 'option' | 'user' | 'event' | 'value';

/** The characters of the longer name that are neither in their common beginning nor in their common end. */
export function nameDifference(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const least = Math.min(a.length, b.length);
  let start = 0;
  let end = 0;
  while (start < least && a[start] === b[start]) start++;
  while (start + end < least && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end;
}
