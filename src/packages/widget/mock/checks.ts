// Checks what a client sends to the mock server: payloads and ids, by hand, because the package has no dependencies.
import { foreignIdPattern } from '../../../protocol/limits.ts';
import type { Payload, PayloadType } from '../../../protocol/message.ts';
import type { PreChatAnswers, PreChatForm } from '../../../protocol/visitors.ts';
import { invalid } from './failure.ts';
import { neededFields } from './needed-fields.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isValid = { string: isText, number: Number.isFinite, array: Array.isArray };

/** The payload of a message. Throws a Failure that names the wrong field. */
export function checkPayload(value: unknown): Payload {
  assertPayload(value);
  return value;
}

function assertPayload(value: unknown): asserts value is Payload {
  const payload = checkObject(value, 'payload');
  const fields =
    Object.hasOwn(neededFields, String(payload.type)) && neededFields[payload.type as PayloadType];
  if (!fields) throw invalid('payload.type', `Expected one of ${Object.keys(neededFields).join(', ')}.`);
  for (const [name, kind] of Object.entries(fields)) {
    if (!isValid[kind](payload[name])) throw invalid(`payload.${name}`, 'Expected another value.');
  }
}

export function checkObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(name, 'Expected Object.');
  }
  return value as Record<string, unknown>;
}

/** An id that a client has chosen; undefined if it has chosen none. */
export function checkId(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !foreignIdPattern.test(value)) {
    throw invalid('id', 'Expected 1 to 70 letters, digits, _, -, / or \\.');
  }
  return value;
}

/** The answers to the form before a conversation, as a bot gets them; {} without a form. `at`: the time, as ISO 8601. */
export function checkPreChatForm(
  value: unknown,
  at: string,
): PreChatForm & Pick<PreChatAnswers, 'name' | 'email'> {
  if (value === undefined) return {};
  const { consent, ...answers } = checkObject(value, 'preChatForm') as PreChatAnswers;
  const { fields, ...texts } = answers;
  const ofSite = Object.entries(fields ?? {}).map(([name, text]) => [`fields.${name}`, text] as const);
  for (const [name, text] of [...Object.entries({ ...texts, consent }), ...ofSite]) {
    if (text !== undefined && !isText(text)) throw invalid(`preChatForm.${name}`, 'Expected string.');
  }
  return {
    ...answers,
    ...(consent === undefined ? {} : { consent: { text: consent, at } }),
  };
}

/** The profile fields of a user. */
export function checkUserFields(body: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of ['name', 'pictureUrl', 'profile']) {
    const value = body[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw invalid(name, 'Expected string.');
    fields[name] = value;
  }
  return fields;
}
