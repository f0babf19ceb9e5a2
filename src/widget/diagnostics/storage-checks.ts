// Checks whether the browser stores data for the chat. It writes one entry of its own and removes it.
import type { Finding } from '../../protocol/page-api/page-api.ts';
import { finding } from './findings.ts';

type StorageName = 'localStorage' | 'sessionStorage';

/** @param key the storage key of this chat; undefined if the chat is not known. */
export function checkStorage(name: StorageName, key: string | undefined): Finding[] {
  const findings = [...checkAccess(name), ...(key ? checkEntry(name, key) : [])];
  if (!isForeignFrame()) return findings;
  // In a frame of another site, storage is blocked or partitioned.
  const blocked = findings.find(({ code }) => code === 'storage_blocked');
  const message = `${location.origin} is in a frame of another site.`;
  const partitioned = finding('storage_partitioned', message, blocked?.detail);
  return [partitioned, ...findings.filter((other) => other !== blocked)];
}

const probe = 'platform-webchat:doctor';

function checkAccess(name: StorageName): Finding[] {
  try {
    const storage = window[name];
    try {
      storage.setItem(probe, probe);
    } finally {
      storage.removeItem(probe);
    }
    return [];
  } catch (error) {
    const isFull = error instanceof DOMException && /quota/i.test(error.name);
    const problem = isFull ? 'is full' : 'is refused';
    return [finding(isFull ? 'storage_full' : 'storage_blocked', `${name} ${problem}.`, String(error))];
  }
}

function checkEntry(name: StorageName, key: string): Finding[] {
  let text: string | null = null;
  try {
    text = window[name].getItem(key);
    const value: unknown = JSON.parse(text ?? '{}');
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? [] : [finding('storage_corrupt', `${name} holds no record under '${key}'.`)];
  } catch (error) {
    // Without a text the write was refused, which was already reported.
    return text === null
      ? []
      : [finding('storage_corrupt', `${name} holds no JSON under '${key}'.`, String(error))];
  }
}

/** Whether the page is in a frame of another origin. */
function isForeignFrame(): boolean {
  try {
    return window.top !== window && window.top?.location.origin !== location.origin;
  } catch {
    return true;
  }
}
