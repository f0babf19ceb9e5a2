// Checks what a client sends to the mock server: payloads and ids, by hand, because the package has no dependencies.
import { foreignIdPattern } from '../../../protocol/limits.ts';
import type { Payload } from '../../../protocol/message.ts';
import { invalid } from './failure.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isList = (value: unknown): boolean => Array.isArray(value);

/** The fields that each type of payload needs. */
const needed: Record<Payload['type'], Record<string, (value: unknown) => boolean>> = {
  text: { text: isText },
  markdown: { markdown: isText },
  image: { imageUrl: isText },
  audio: { audioUrl: isText },
  video: { videoUrl: isText },
  file: { fileUrl: isText },
  location: { latitude: Number.isFinite, longitude: Number.isFinite },
  card: { title: isText, actions: isList },
  carousel: { items: isList },
  choice: { text: isText, options: isList },
  dropdown: { text: isText, options: isList },
  bloc: { items: isList },
};

/** The payload of a message. Throws a Failure that names the wrong field. */
export function checkPayload(value: unknown): Payload {
  const payload = checkObject(value, 'payload');
  const fields = Object.hasOwn(needed, String(payload.type)) && needed[payload.type as Payload['type']];
  if (!fields) throw invalid(`payload.type: Expected one of ${Object.keys(needed).join(', ')}.`);
  for (const [name, isValid] of Object.entries(fields)) {
    if (!isValid(payload[name])) throw invalid(`payload.${name}: Expected another value.`);
  }
  return payload as unknown as Payload;
}

export function checkObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name}: Expected Object.`);
  }
  return value as Record<string, unknown>;
}

/** An id that a client has chosen; undefined if it has chosen none. */
export function checkId(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !foreignIdPattern.test(value)) {
    throw invalid('id: Expected 1 to 70 letters, digits, _, -, / or \\.');
  }
  return value;
}

/** The profile fields of a user. */
export function checkUserFields(body: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of ['name', 'pictureUrl', 'profile']) {
    const value = body[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw invalid(`${name}: Expected string.`);
    fields[name] = value;
  }
  return fields;
}
