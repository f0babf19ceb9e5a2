// JSON Patch (RFC 6902) on the values of an agent: the given value is not changed, and a patch is applied as a whole or not.
// Why not `@ag-ui/client`: see shared/event-reader.ts; the tests compare the results with it (decision 83).
import { bytesOf, idOf, type JsonObject, objectOf, textOf } from '../shared/values.ts';

/** Operations of one patch. */
const maxOperations = 1_000;
/** The maximum number of bytes that a patch copies. Without a limit, each copy could double the size of the value. */
const copiedBytes = 64_000;
/** Names through which objects can be reached that are not part of the value. */
const forbidden: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Returns the value after a patch; undefined if the patch is not valid or does not fit the value. */
export function applyPatch(value: unknown, patch: unknown): { value: unknown } | undefined {
  if (!Array.isArray(patch) || patch.length > maxOperations) return undefined;
  const root: { value?: unknown } = { value: structuredClone(value) };
  try {
    let copied = 0;
    for (const operation of patch) {
      copied += apply(root, objectOf(operation) ?? {});
      if (copied > copiedBytes) return undefined;
    }
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
  return { value: root.value ?? null };
}

class PatchError extends Error {}

/** Applies an operation. Returns the bytes that it copied. */
function apply(root: JsonObject, operation: JsonObject): number {
  const { op } = operation;
  const path = pathOf(operation.path);
  if (op === 'add' || op === 'replace' || op === 'test') {
    if (!('value' in operation)) throw new PatchError();
    if (op === 'test') {
      if (!isSame(get(root, path), operation.value)) throw new PatchError();
      return 0;
    }
    if (op === 'replace') get(root, path);
    // A later operation may change it, and the event is not ours.
    set(root, path, structuredClone(operation.value), op === 'add');
    return 0;
  }
  if (op === 'remove') {
    remove(root, path);
    return 0;
  }
  if (op !== 'move' && op !== 'copy') throw new PatchError();
  const from = pathOf(operation.from);
  const moved = get(root, from);
  if (op === 'copy') {
    set(root, path, structuredClone(moved), true);
    return bytesOf(moved);
  }
  if (from.length < path.length && from.every((name, index) => name === path[index])) throw new PatchError();
  remove(root, from);
  set(root, path, moved, true);
  return 0;
}

/** The names of a JSON Pointer (RFC 6901), after one for the whole value. */
function pathOf(pointer: unknown): string[] {
  const text = textOf(pointer);
  if (text === undefined || (text !== '' && !text.startsWith('/')) || /~(?![01])/.test(text))
    throw new PatchError();
  const names = text
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (names.some((name) => forbidden.includes(name))) throw new PatchError();
  return ['value', ...names];
}

/** The value that has the last name of a path, and the name as a key of it. */
function holderOf(
  root: JsonObject,
  path: readonly string[],
): { holder: JsonObject | unknown[]; name: string } {
  let holder: unknown = root;
  for (const name of path.slice(0, -1)) holder = child(holder, name);
  if (typeof holder !== 'object' || holder === null) throw new PatchError();
  return { holder: holder as JsonObject | unknown[], name: path.at(-1) ?? '' };
}

function child(holder: unknown, name: string): unknown {
  if (Array.isArray(holder)) return holder[indexOf(name, holder.length - 1)];
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) throw new PatchError();
  return (holder as JsonObject)[name];
}

function get(root: JsonObject, path: readonly string[]): unknown {
  const { holder, name } = holderOf(root, path);
  return child(holder, name);
}

function set(root: JsonObject, path: readonly string[], value: unknown, isAdded: boolean): void {
  const { holder, name } = holderOf(root, path);
  if (!Array.isArray(holder)) holder[name] = value;
  else if (isAdded) holder.splice(name === '-' ? holder.length : indexOf(name, holder.length), 0, value);
  else holder[indexOf(name, holder.length - 1)] = value;
}

function remove(root: JsonObject, path: readonly string[]): void {
  const { holder, name } = holderOf(root, path);
  child(holder, name);
  if (Array.isArray(holder)) holder.splice(indexOf(name, holder.length - 1), 1);
  else delete holder[name];
}

/** Reads an index of a list: no sign, no leading zero. */
function indexOf(name: string, last: number): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(idOf(name) ?? '') || Number(name) > last) throw new PatchError();
  return Number(name);
}

/** Whether two values are the same JSON; the order of names does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  }
  const [oneObject, right] = [objectOf(one), objectOf(other)];
  if (!oneObject || !right) return one === other;
  const names = Object.keys(oneObject);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(oneObject[name], right[name]))
  );
}
