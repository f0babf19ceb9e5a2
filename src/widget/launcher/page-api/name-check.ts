// Has the names checked that the page uses, and invalid values explained. Their table is a bundle of its own, because it concerns the owner of the page
// and not its visitors.
import { launcherFields } from '../../../protocol/page-api/config.ts';
import { hostPageFieldNames, type NameKind, optionNames } from '../../../protocol/page-api/page-names.ts';
import { load } from '../load.ts';
import { whenIdle } from '../prefetch.ts';
import type { Emitter } from './emitter.ts';

/** Reports the names of an object, or one name, that no table has; for `value` the field of this name. */
export type NameCheck = (kind: NameKind, input: unknown) => void;

/**
 * @param assets the folder of the widget's files.
 * @param chat returns what the check waits for: the visitor must not wait for it. Without a chat, nothing else is loaded.
 */
export function createNameCheck(
  emit: Emitter['emit'],
  assets: string,
  chat: () => Promise<unknown> | undefined,
): NameCheck {
  /** The names that the launcher reads itself: with these alone nothing needs to be loaded. */
  const fields = { ...launcherFields, ...hostPageFieldNames };
  const own: Partial<Record<NameKind, object>> = {
    configuration: fields,
    attribute: { ...fields, ...optionNames, manual: 0 },
    option: optionNames,
  };
  const check = async (kind: NameKind, input: unknown) => {
    const { checkNames } = await load('unknown-names', assets);
    checkNames(emit, kind, input);
  };
  const checkLater = async (kind: NameKind, input: unknown) => {
    await chat();
    whenIdle(() => void check(kind, input).catch(() => {}));
  };
  return (kind, input) => {
    if (Object.keys(Object(input)).some((name) => !Object.hasOwn(own[kind] ?? {}, name)))
      whenIdle(() => void checkLater(kind, input).catch(() => {}));
  };
}
