// Tests of error descriptions in the log: enough to find the problem, and no text of users.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { BotError, createLogger, type describeBotError, describeError } from './log.ts';

const text = 'canary words of a visitor';

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('log: the message of an error is not logged', () => {
  test.each<[string, unknown]>([
    ['a text', text],
    ['an error with it', new Error(text)],
    ['one that looks like a stack', new Error(`x\n    at ${text} (file.js:1:1)`)],
    ['one whose message was changed', Object.assign(new Error(`x\n    at ${text}`), { message: 'r' })],
    ['one whose name is it', Object.assign(new Error('x'), { name: text })],
    ['one whose code is it', Object.assign(new Error('x'), { code: text })],
    ['one that carries it', Object.assign(new Error('x'), { payload: { text }, errcode: text })],
    ['one whose cause has it', new Error('x', { cause: new Error('y', { cause: text }) })],
    ['several', new AggregateError([new Error(text)], text)],
    ['no JSON', thrown(() => JSON.parse(text))],
    ['an argument that Node quotes', thrown(() => new URL(text))],
    ['an object', { message: text, stack: text, text }],
    [
      'a getter that throws',
      Object.defineProperty(new Error('x'), 'message', { get: () => thrown(() => JSON.parse(text)) }),
    ],
    [
      'a proxy',
      new Proxy(new Error('x'), {
        get: () => {
          throw new Error(text);
        },
      }),
    ],
  ])('%s', (_, error) => {
    const lines: string[] = [];
    createLogger('trace', { write: (line) => lines.push(line) }).error({ err: error }, 'failed');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"msg":"failed"');
    expect(lines[0]).not.toMatch(/canary|visitor/);
  });

  test('the message of any thrown value is not logged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3 }), fc.string(), (words, more) => {
        const secret = `«${words}»`;
        const error = new Error(`${more}${secret}`, {
          cause: Object.assign(new Error(secret), { code: secret }),
        });
        expect(JSON.stringify(describeError(error))).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });
});

describe('log: the description of an error', () => {
  test('has its type, code, stack and causes', () => {
    const cause = Object.assign(new TypeError('x'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('y', { cause }), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    expect(describeError(error)).toEqual({
      type: 'Error',
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
      at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
      cause: {
        type: 'TypeError',
        code: 'ECONNREFUSED',
        at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
      },
    });
    expect(describeError(thrown(() => Buffer.alloc('x' as never))).at?.length).toBeGreaterThan(1);
  });

  test('has the message of an ApiError, which contains no request data', () => {
    const error = new ApiError('InvalidPayload', 'payload.text: Expected string.');
    expect(describeError(error)).toMatchObject({ message: 'InvalidPayload: payload.text: Expected string.' });
  });

  test('is finite for an error that is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/"cause"/g)).toHaveLength(3);
  });
});

describe('log: the description of an error of bot code', () => {
  const logged = (thrown: unknown) => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => lines.push(line) }).error(
      { err: new BotError(thrown) },
      'failed',
    );
    return JSON.parse(lines[0] ?? '').err as ReturnType<typeof describeBotError>;
  };

  test('has the name, the message, the code, the stack and the causes', () => {
    const cause = Object.assign(new RangeError('too far'), { code: 'E_FAR' });
    expect(logged(new TypeError('no «user»', { cause }))).toEqual({
      type: 'TypeError',
      message: 'no «user»',
      stack: expect.stringMatching(/^TypeError: no «user»\n {4}at .*log\.test\.ts:\d+:\d+/),
      cause: {
        type: 'RangeError',
        message: 'too far',
        code: 'E_FAR',
        stack: expect.stringContaining('log.test.ts'),
      },
    });
    expect(
      logged(
        new AggregateError(
          [1, 2, 3, 4].map((n) => new Error(`e${n}`)),
          'all',
        ),
      ).errors,
    ).toMatchObject([{ message: 'e1' }, { message: 'e2' }, { message: 'e3' }]);
  });

  test.each<[unknown, { type: string; message: string }]>([
    ['words', { type: 'string', message: 'words' }],
    [undefined, { type: 'undefined', message: 'undefined' }],
    [null, { type: 'null', message: 'null' }],
    [{ a: { b: 1 } }, { type: 'object', message: '{ a: { b: 1 } }' }],
    [Symbol('s'), { type: 'symbol', message: 'Symbol(s)' }],
  ])('has the value that was thrown instead of an error: %o', (thrown, expected) => {
    expect(logged(thrown)).toEqual(expected);
  });

  test('counts what it leaves out of a long text', () => {
    const { message, stack } = logged(new Error('x'.repeat(1_000_000)));
    expect(message).toBe(`${'x'.repeat(2_000)}… (998000 more characters)`);
    expect(stack?.length).toBeLessThan(8_100);
    expect(stack).toMatch(/… \(\d+ more characters\)$/);
  });

  test('is written for errors that cannot be read, and runs none of their code', () => {
    const fail = () => {
      throw new Error('unreadable');
    };
    // The stack first: V8 reads the message to write it.
    const getters = Object.defineProperties(new Error('x'), {
      stack: { get: fail },
      message: { get: fail },
      name: { get: fail },
      cause: { get: fail },
    });
    expect(logged(getters)).toEqual({ type: 'Error', message: 'The message cannot be read.' });
    expect(logged(new Proxy(new Error('x'), { get: fail, getPrototypeOf: fail }))).toMatchObject({
      message: expect.any(String),
    });
    const inspected = { [Symbol.for('nodejs.util.inspect.custom')]: fail, a: 1 };
    expect(logged(inspected).message).toContain('a: 1');
    const own = new Error('x');
    own.cause = own;
    expect(JSON.stringify(logged(own)).match(/"cause"/g)).toHaveLength(3);
  });

  test('exists for any thrown value', () => {
    fc.assert(fc.property(fc.anything(), (thrown) => void JSON.stringify(logged(thrown))));
  });
});
