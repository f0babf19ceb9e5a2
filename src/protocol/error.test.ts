// Tests the guard of error bodies on the wire, and the errors that the page receives.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorTypes, isErrorBody, isPlatformError, type PlatformErrorCode, platformError } from './error.ts';

const body = { id: 'err_20250101000000x0123ABCD', code: 404, type: 'ResourceNotFound', message: 'Gone.' };

describe('isErrorBody', () => {
  test('accepts a complete body, with or without metadata', () => {
    expect(isErrorBody(body)).toBe(true);
    expect(isErrorBody({ ...body, metadata: { a: 1 } })).toBe(true);
  });

  test.each(['id', 'code', 'type', 'message'])(
    'refuses a body whose %s is missing or of another type',
    (field) => {
      expect(isErrorBody({ ...body, [field]: undefined })).toBe(false);
      expect(isErrorBody({ ...body, [field]: field === 'code' ? '404' : 404 })).toBe(false);
      expect(isErrorBody({ ...body, [field]: null })).toBe(false);
    },
  );

  test('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => typeof isErrorBody(value) === 'boolean'));
  });
});

test('every type of the wire has the status of the API contract', () => {
  expect(Object.keys(errorTypes).length).toBe(36);
  expect(errorTypes).toMatchObject({
    Unknown: 500,
    Unauthorized: 401,
    Forbidden: 403,
    ResourceNotFound: 404,
    MethodNotFound: 405,
    AlreadyExists: 409,
    PayloadTooLarge: 413,
    UnsupportedMediaType: 415,
    RateLimited: 429,
    NotImplemented: 501,
    OperationTimeout: 504,
    InsufficientStorage: 507,
    ServiceUnavailable: 503,
  });
});

describe('platformError', () => {
  test.each<[PlatformErrorCode, string, boolean]>([
    ['not_initialized', 'InvalidStateError', false],
    ['not_ready', 'InvalidStateError', false],
    ['destroyed', 'PlatformError', false],
    ['invalid_argument', 'PlatformError', false],
    ['invalid_configuration', 'PlatformError', false],
    ['chunk_failed', 'PlatformError', true],
    ['network', 'PlatformError', true],
    ['server', 'PlatformError', true],
    ['unauthorized', 'PlatformError', false],
    ['forbidden', 'PlatformError', false],
    ['not_found', 'PlatformError', false],
    ['rejected', 'PlatformError', false],
    ['internal', 'PlatformError', false],
  ])('%s is named %s, retryable %s', (code, name, retryable) => {
    const error = platformError(code, 'What to do.');
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message }).toEqual({ code, name, retryable, message: 'What to do.' });
    expect(isPlatformError(error)).toBe(true);
  });

  test('keeps its cause, and has none by default', () => {
    const cause = new Error('why');
    expect(platformError('internal', 'x', cause).cause).toBe(cause);
    expect('cause' in platformError('internal', 'x')).toBe(false);
  });

  test.each([
    new Error('plain'),
    Object.assign(new Error('of node'), { code: 'ENOENT' }),
    Object.assign(new Error('of the api'), { code: 404, retryable: true }),
    { code: 'network', retryable: true },
    new DOMException('x', 'AbortError'),
    undefined,
    null,
    'network',
  ])('%s is not a PlatformError', (error) => expect(isPlatformError(error)).toBe(false));
});
