// Whether the browser keeps what the chat wants to remember. It writes one entry of its own and removes it.
import type { Finding } from '../../protocol/page-api.ts';
import { finding } from './findings.ts';

type Place = 'localStorage' | 'sessionStorage';

/** @param key of the entry of this chat; undefined where the chat is not known. */
export function checkStorage(place: Place, key: string | undefined): Finding[] {
  const found = [...checkPlace(place), ...(key ? checkEntry(place, key) : [])];
  if (!isForeignFrame()) return found;
  // Refused there, and kept apart at best.
  const blocked = found.find(({ code }) => code === 'storage_blocked');
  const message = `${location.origin} stands in a frame of another site.`;
  const partitioned = finding('storage_partitioned', message, blocked?.detail);
  return [partitioned, ...found.filter((other) => other !== blocked)];
}

const probe = 'platform-webchat:doctor';

function checkPlace(place: Place): Finding[] {
  try {
    const storage = window[place];
    try {
      storage.setItem(probe, probe);
    } finally {
      storage.removeItem(probe);
    }
    return [];
  } catch (error) {
    const isFull = error instanceof DOMException && /quota/i.test(error.name);
    const what = isFull ? 'is full' : 'is refused';
    return [finding(isFull ? 'storage_full' : 'storage_blocked', `${place} ${what}.`, String(error))];
  }
}

function checkEntry(place: Place, key: string): Finding[] {
  let text: string | null = null;
  try {
    text = window[place].getItem(key);
    const value: unknown = JSON.parse(text ?? '{}');
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? [] : [finding('storage_corrupt', `${place} holds no record under '${key}'.`)];
  } catch (error) {
    // Without a text it was refused, which has been said.
    return text === null
      ? []
      : [finding('storage_corrupt', `${place} holds no JSON under '${key}'.`, String(error))];
  }
}

/** The page stands in a frame, and the page around it is of another origin. */
function isForeignFrame(): boolean {
  try {
    return window.top !== window && window.top?.location.origin !== location.origin;
  } catch {
    return true;
  }
}
