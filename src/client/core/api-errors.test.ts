// Tests the error classes: one for each type, created from any thrown value, and never chosen by a hostile body.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ErrorType, errorTypes } from '../../protocol/error.ts';
import * as client from '../index.ts';
import {
  ApiError,
  errorFrom,
  isApiError,
  ResourceNotFoundError,
  typedError,
  UnknownError,
} from '../index.ts';

/** By name, like the exports of the package. */
const exported: Record<string, unknown> = { ...client };
const classOf = (type: ErrorType) => exported[`${type}Error`] as new () => Error;
const types = Object.keys(errorTypes) as ErrorType[];
const bodyOf = (type: string, code = 500) => ({
  id: 'err_20260101000000x0123ABCD',
  code,
  type,
  message: 'No.',
});

test.each(types)('%s has its class, exported by its name', (type) => {
  const error = typedError(errorTypes[type], { ...bodyOf(type, errorTypes[type]), metadata: { a: 1 } }, 7);
  expect(error).toBeInstanceOf(classOf(type));
  expect(error).toBeInstanceOf(ApiError);
  expect(types.filter((other) => error instanceof classOf(other))).toEqual([type]);
  expect(error).toMatchObject({
    name: `${type}Error`,
    type,
    code: errorTypes[type],
    message: 'No.',
    isApiError: true,
    retryAfterMs: 7,
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    ...bodyOf(type, errorTypes[type]),
    metadata: { a: 1 },
  });
  expect(String(error)).toBe(`${type}Error: No.`);
});

describe('a body that is not an error of this API', () => {
  test.each<[unknown]>([
    [undefined],
    [null],
    ['<html>'],
    [[]],
    [{}],
    [{ message: 'only' }],
    [{ ...bodyOf('ResourceNotFound'), id: 7 }],
  ])('%j is an UnknownError with the status', (body) => {
    const error = typedError(404, body);
    expect(error).toBeInstanceOf(UnknownError);
    expect([error.code, error.type, error.id]).toEqual([404, 'Unknown', '']);
  });

  test.each(['Teapot', 'constructor', '__proto__', 'toString', ''])('the type %j is Unknown', (type) => {
    const error = typedError(418, bodyOf(type, 418));
    expect(error).toBeInstanceOf(UnknownError);
    expect([error.code, error.type, error.message]).toEqual([418, 'Unknown', 'No.']);
  });
});

describe('errorFrom', () => {
  test('an error of a class is returned unchanged; a plain ApiError gets its class and becomes the cause', () => {
    const typed = typedError(404, bodyOf('ResourceNotFound', 404));
    expect(errorFrom(typed)).toBe(typed);
    const plain = new ApiError(404, bodyOf('ResourceNotFound', 404), 5);
    const error = errorFrom(plain);
    expect(error).toBeInstanceOf(ResourceNotFoundError);
    expect([error.toJSON(), error.retryAfterMs, error.cause]).toEqual([plain.toJSON(), 5, plain]);
  });

  test('an error of another copy of the package is recognised', () => {
    const foreign = Object.assign(new Error('No.'), { isApiError: true, ...bodyOf('Forbidden', 403) });
    expect(isApiError(foreign)).toBe(true);
    expect(errorFrom(foreign)).toBeInstanceOf(client.ForbiddenError);
  });

  test('a body, and its text, become the error that they describe', () => {
    const body = bodyOf('AlreadyExists', 409);
    for (const thing of [body, JSON.stringify(body)]) {
      expect(errorFrom(thing)).toBeInstanceOf(client.AlreadyExistsError);
    }
  });

  test('any value becomes an ApiError that can be serialized', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (thing) => {
        const error = errorFrom(thing);
        expect(isApiError(error)).toBe(true);
        expect(Object.keys(JSON.parse(JSON.stringify(error)))).toEqual(
          expect.arrayContaining(['id', 'code', 'type', 'message']),
        );
      }),
    );
    const error = new RangeError('words');
    expect(errorFrom(error)).toMatchObject({ name: 'UnknownError', message: 'words', cause: error });
    expect(isApiError({ isApiError: true })).toBe(false);
    expect(isApiError(error)).toBe(false);
  });
});
