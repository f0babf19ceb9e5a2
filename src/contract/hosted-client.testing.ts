// For tests with the official client of the hosted product: a server over real HTTP, bots with tokens, visitors, and a
// check of responses against the client's own type declarations.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client, isApiError } from '@botpress/client';
import { expect } from 'vitest';
import { startRelayedServer } from '../client/testing.ts';
import { addWebhookBot, startVisitor, type WebhookBot } from '../server/bots/webhooks/testing.ts';
import type { TestOptions, TestServer } from '../server/testing.ts';

export interface HostedBot extends WebhookBot {
  client: Client;
  /** Creates a visitor of the bot with a conversation. */
  visitor(): ReturnType<typeof startVisitor>;
}

export interface HostedServer {
  apiUrl: string;
  server: TestServer;
  /** Creates a bot. Its events go to `webhookUrl`. */
  addBot(name: string, webhookUrl?: string): Promise<HostedBot>;
  close(): Promise<void>;
}

/** An address that refuses connections. */
const nowhere = 'http://127.0.0.1:9/';

export async function startHostedServer(options: TestOptions = {}): Promise<HostedServer> {
  const relayed = await startRelayedServer({ WEBHOOK_PRIVATE: 'first', ...options });
  const { server, directUrl: apiUrl } = relayed;
  return {
    apiUrl,
    server,
    async addBot(name, webhookUrl = nowhere) {
      const bot = await addWebhookBot(server, webhookUrl, name);
      return {
        ...bot,
        client: new Client({ apiUrl, token: bot.token, botId: bot.id }),
        visitor: () => startVisitor(() => server, name),
      };
    },
    close: () => relayed.close(),
  };
}

/** The status and the type of the error with which a call fails, as the client's own classes report it. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('The call did not fail.'),
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw error;
  expect(error.id).toMatch(/^err_\d{14}x[\dA-F]{8}$/);
  return `${error.code} ${error.type}: ${error.message}`;
}

/** Expects that a call fails with such a status, type and message. */
export async function refuses(call: Promise<unknown>, message: RegExp): Promise<void> {
  expect(await failure(call)).toMatch(message);
}

const require = createRequire(import.meta.url);
const declarations = readFileSync(
  join(dirname(require.resolve('@botpress/client')), 'index.d.ts'),
  'utf8',
).replace(/\/\*[\s\S]*?\*\//g, '');

/** A type of the client's declarations: one of several, an object, a list, a literal text, or a name such as `string`. */
type Declared =
  | { oneOf: Declared[] }
  | { fields: { name: string; isOptional: boolean; type: Declared }[]; rest?: Declared }
  | { item: Declared }
  | { text: string }
  | { name: string };

/** Parses the declaration of an interface. It supports what the generated declarations of responses consist of. */
function readInterface(name: string): Declared {
  const start = declarations.indexOf(`interface ${name} {`);
  if (start < 0) throw new Error(`The client does not declare ${name}.`);
  const tokens = declarations.slice(start + `interface ${name} `.length).matchAll(/"[^"]*"|\$?\w+|[^\s\w]/g);
  let next = tokens.next();
  const peek = () => next.value?.[0] ?? '';
  const take = (expected?: string) => {
    const token = peek();
    if (expected !== undefined && token !== expected)
      throw new Error(`${name}: ${token} is not ${expected}.`);
    next = tokens.next();
    return token;
  };

  function readType(): Declared {
    const oneOf: Declared[] = [];
    do {
      if (peek() === '|') take();
      let type: Declared;
      if (peek() === '{') type = readObject();
      else if (peek() === '(') {
        take();
        type = readType();
        take(')');
      } else {
        const token = take();
        type = token.startsWith('"') ? { text: token.slice(1, -1) } : { name: token };
      }
      while (peek() === '[') {
        take();
        take(']');
        type = { item: type };
      }
      oneOf.push(type);
    } while (peek() === '|');
    const [only] = oneOf;
    return oneOf.length === 1 && only ? only : { oneOf };
  }

  function readObject(): Declared {
    const fields: { name: string; isOptional: boolean; type: Declared }[] = [];
    let rest: Declared | undefined;
    take('{');
    while (peek() !== '}') {
      const field = take();
      if (field === '[') {
        for (const token of ['k', ':', 'string', ']', ':']) take(token);
        rest = readType();
      } else {
        const isOptional = peek() === '?';
        if (isOptional) take();
        take(':');
        fields.push({ name: field.replaceAll('"', ''), isOptional, type: readType() });
      }
      take(';');
    }
    take('}');
    return { fields, ...(rest ? { rest } : {}) };
  }

  return readObject();
}

/** The places at which a response is not what the client declares for this operation; none if it is right. */
export function differences(operation: string, response: unknown): string[] {
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Response`;
  return compare(readInterface(name), response, operation);
}

function compare(type: Declared, value: unknown, path: string): string[] {
  const wrong = [`${path} is ${JSON.stringify(value)}`];
  if ('oneOf' in type)
    return type.oneOf.some((option) => compare(option, value, path).length === 0) ? [] : wrong;
  if ('text' in type) return value === type.text ? [] : wrong;
  if ('item' in type) {
    if (!Array.isArray(value)) return wrong;
    return value.flatMap((item, index) => compare(type.item, item, `${path}[${index}]`));
  }
  if ('name' in type) {
    if (type.name === 'any' || type.name === String(value)) return [];
    return typeof value === type.name ? [] : wrong;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const object = value as Record<string, unknown>;
  const { fields, rest } = type;
  const ofFields = fields.flatMap((field) => {
    const inner = object[field.name];
    if (inner === undefined) return field.isOptional ? [] : [`${path}.${field.name} is missing`];
    return compare(field.type, inner, `${path}.${field.name}`);
  });
  const ofRest = rest
    ? Object.entries(object).flatMap(([key, inner]) => compare(rest, inner, `${path}.${key}`))
    : [];
  return [...ofFields, ...ofRest];
}
