// Tests the API reference with the real document: it has every operation, its texts, and a correctly quoted command.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../protocol/any-text.testing.ts';
import { apis } from '../../server/http/apis.ts';
import { createOpenApi } from '../../server/http/openapi.ts';
import { startTestServer } from '../../server/testing.ts';
import { curlOf, placeholders, quote } from './curl.ts';
import { type OpenApi, readDocument, type Schema, search } from './document.ts';
import { exampleOf, fieldsOf, partsOf, resolve, rulesOf, type Schemas, typeOf } from './schema.ts';

const document = createOpenApi(apis) as unknown as OpenApi;
const { groups, schemas } = readDocument(document);
const operations = groups.flatMap((group) => group.operations);
const base = 'http://127.0.0.1:3000/';

/** Returns the arguments that a shell parses from each command. */
const argumentsOf = (commands: string[]): string[][] => {
  const script = commands.map((one) => `${one.replace(/^curl/, "printf '%s\\0'")}; printf '\\036\\0'`);
  return execFileSync('sh', { input: script.join('\n'), encoding: 'utf8' })
    .split('\u001e\0')
    .slice(0, -1)
    .map((args) => args.split('\0').slice(0, -1));
};
const commandWords = argumentsOf(operations.map((operation) => curlOf(operation, base, schemas)));

test('the reference has every operation of the document exactly once', () => {
  const described = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ids = operations.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(described.map(({ operationId }) => operationId).toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operations: rows, name } of apis) {
    const shown = groups.find((group) => group.name === name)?.operations ?? [];
    for (const { id, permission } of rows)
      expect(shown.find((one) => one.id === id)?.permission).toBe(permission ?? undefined);
  }
});

test('the first command of the reference works as it is, in a chat of the server', async () => {
  const server = await startTestServer();
  const args = commandWords[0] ?? [];
  expect(operations[0]?.id).toBe('createUser');
  const address = new URL(args.find((word) => word.startsWith(base))?.replace('WEBHOOK_ID', 'demo') ?? '');
  const headers = args
    .filter((_, index) => args[index - 1] === '-H')
    .map((header): [string, string] => {
      const [name = '', value = ''] = header.split(': ');
      return [name, value];
    });
  const body = args[args.indexOf('-d') + 1] ?? '';
  const response = await server.fetch(address.pathname, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([
    201,
    { user: expect.objectContaining({ name: 'Ada Lovelace' }), key: expect.any(String) },
  ]);
  await server.close();
});

test.each(operations.map((one, index) => [one.id, one, index] as const))(
  '%s: a command that the shell passes on as it is',
  (_, operation, index) => {
    const args = commandWords[index] ?? [];
    const address = args.find((word) => word.startsWith(base)) ?? '';
    expect(URL.canParse(address)).toBe(true);
    expect(address).not.toMatch(/[{}]/);
    expect(args.includes('-X') ? args[args.indexOf('-X') + 1] : 'GET').toBe(
      ['GET', 'HEAD'].includes(operation.method) ? 'GET' : operation.method,
    );
    for (const { name, required, in: location } of operation.parameters) {
      const isSent = location === 'header' && args.some((word) => word.startsWith(`${name}: `));
      expect([name, isSent]).toEqual([name, location === 'header' && required]);
    }
    if (operation.body?.type !== 'application/json') return;
    const sent = JSON.parse(args[args.indexOf('-d') + 1] ?? '') as object;
    for (const name of resolve(operation.body.schema, schemas).schema.required ?? [])
      expect(sent).toHaveProperty([name]);
  },
);

test('a header that an operation reads is shown with its description, and is in the command when it is required', () => {
  const own = apis
    .flatMap(({ operations }) => operations)
    .flatMap(({ id, headers = [] }) => headers.map((header) => [id, header] as const));
  expect(new Set(own.map(([, { name }]) => name))).toEqual(
    new Set(['x-visitor-locale', 'x-user-proof', 'x-destination-bot-id']),
  );
  for (const [id, { name, description }] of own) {
    const shown = operations.find((one) => one.id === id);
    const [header, ...twice] = shown?.parameters.filter((one) => one.name === name) ?? [];
    expect(header).toEqual({ name, in: 'header', required: false, description, schema: { type: 'string' } });
    expect(twice).toEqual([]);
    const parameters = shown?.parameters.map((one) => ({ ...one, required: true })) ?? [];
    const [args] = argumentsOf(shown ? [curlOf({ ...shown, parameters }, base, schemas)] : []);
    expect(args).toContain(`${name}: ${placeholders[name]}`);
  }
});

test('any text passes through the shell unchanged', () => {
  // Arguments cannot contain NUL; unpaired surrogates are not text.
  const text = anyText().map((one) => Buffer.from(one.replaceAll('\0', '')).toString());
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 50 }), (texts) => {
      const args = argumentsOf(texts.map((one) => `curl ${quote(`a${one}`)}`));
      expect(args).toEqual(texts.map((one) => [`a${one}`]));
    }),
    { numRuns: 10 },
  );
});

describe('search', () => {
  test('matches terms of name, path, method, summary, group and permission in any order', () => {
    const ids = (query: string) =>
      search(groups, query).flatMap((group) => group.operations.map(({ id }) => id));
    expect(ids('listbots')).toEqual(['listBots']);
    expect(ids('  admin GET ')).toContain('listBots');
    expect(ids('webchat.update')).toContain('setBotWebchat');
    expect(ids('').length).toBe(operations.length);
    expect(ids('there is no such word')).toEqual([]);
  });
});

describe('schemas as text', () => {
  const named: Schemas = {
    Circle: {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Circle' } },
      required: ['next'],
    },
  };
  test.each<[Schema, string, string[]]>([
    [{ type: 'string', minLength: 1 }, 'string', ['not empty']],
    [{ type: 'string', minLength: 2, maxLength: 40_000 }, 'string', ['2 to 40,000 characters']],
    [{ type: 'string', format: 'date-time' }, 'string, a time in UTC', []],
    [{ type: 'integer', minimum: 0, default: 3 }, 'integer', ['at least 0', 'default 3']],
    [
      { type: 'array', items: { $ref: '#/components/schemas/Circle' }, maxItems: 9 },
      'list of Circle',
      ['at most 9 entries'],
    ],
    [{ enum: ['a', 'b'] }, '"a" or "b"', []],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null', []],
    [{ type: 'object', additionalProperties: {} }, 'object', []],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object, each string', []],
    [{ $ref: '#/components/schemas/constructor' }, 'constructor', []],
    [{}, 'any', []],
  ])('%j', (schema, type, rules) => {
    expect([typeOf(schema, named), rulesOf(schema)]).toEqual([type, rules]);
  });

  test('a recursive schema ends', () => {
    const circle = { $ref: '#/components/schemas/Circle' };
    expect(JSON.stringify(exampleOf(circle, named)).length).toBeLessThan(200);
    expect(partsOf(circle, named)).toEqual([{ name: 'Circle', schema: named.Circle }]);
  });

  test('any schema is described', () => {
    const schema: fc.Memo<Schema> = fc.memo((depth) => {
      const inner = depth > 1 ? schema(depth - 1) : fc.constant<Schema>({});
      return fc.record(
        {
          type: fc.constantFrom('string', 'object', 'array', 'integer', 'null', 'nonsense'),
          $ref: fc.constantFrom('#/components/schemas/Circle', '#/nowhere', ''),
          properties: fc.dictionary(fc.string(), inner, { maxKeys: 2 }),
          required: fc.array(fc.string(), { maxLength: 2 }),
          items: inner,
          additionalProperties: fc.oneof(fc.boolean(), inner),
          anyOf: fc.array(inner, { maxLength: 2 }),
          minLength: fc.nat(50),
          format: fc.string(),
        },
        { requiredKeys: [] },
      );
    });
    fc.assert(
      fc.property(schema(3), (one) => {
        expect(typeof typeOf(one, named)).toBe('string');
        expect(typeof JSON.stringify(exampleOf(one, named))).toBe('string');
        for (const part of partsOf(one, named)) expect(fieldsOf(part.schema).length).toBeGreaterThan(0);
      }),
    );
  });
});
