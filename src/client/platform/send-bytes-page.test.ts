// Tests that an upload in a page, by XMLHttpRequest, follows the options of the client.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cutAndResume, FakeRequest } from '../chat/fake-xhr.testing.ts';
import { NetworkError } from '../core/errors.ts';
import type { ClientOptions } from './client-options.ts';
import { createRest } from './rest.ts';
import { type SendBytesOptions, sendBytes } from './send-bytes.ts';

/** The server has four bytes. */
const head = vi.fn(async () => new Response(null, { status: 204, headers: { 'upload-offset': '4' } }));
beforeEach(() => {
  FakeRequest.all = [];
  head.mockClear();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('fetch', head);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const blob = new Blob(['0123456789']);
const send = (options: ClientOptions = {}, more: Partial<SendBytesOptions> = {}) =>
  sendBytes(
    createRest({ apiUrl: 'https://example.org', token: 't', retry: { delayMs: () => 1 }, ...options }),
    {
      uploadUrl: '/u',
      blob,
      contentType: 'text/plain',
      ...more,
    },
  );
const refusal = (type: string, code: number) => JSON.stringify({ id: 'err_1', code, type, message: 'No.' });

test('the type and the headers of the caller are sent with all bytes, and not when it resumes', async () => {
  const seen: number[] = [];
  const done = send(
    {},
    { headers: { 'x-amz-tagging': 'public=true' }, onProgress: (sent) => seen.push(sent) },
  );
  const first = await cutAndResume();
  expect([first.line, first.headers]).toEqual([
    'PUT /u',
    { 'content-type': 'text/plain', 'x-amz-tagging': 'public=true' },
  ]);
  await done;
  expect(seen).toEqual([6, 4, 7, 10]);
});

test('an empty file is sent', async () => {
  const done = send({}, { blob: new Blob([]) });
  (await FakeRequest.sent(0)).answer(204);
  await done;
  expect(FakeRequest.all[0]?.line).toBe('PUT /u');
});

describe('failures', () => {
  test('a refusal has the class of its type', async () => {
    const refused = send();
    (await FakeRequest.sent(0)).answer(413, refusal('PayloadTooLarge', 413));
    await expect(refused).rejects.toMatchObject({ name: 'PayloadTooLargeError', message: 'No.', code: 413 });
    head.mockImplementationOnce(async () => new Response(refusal('ResourceNotFound', 404), { status: 404 }));
    const deleted = send();
    (await FakeRequest.sent(1)).answer(0);
    await expect(deleted).rejects.toMatchObject({ name: 'ResourceNotFoundError' });
  });

  test('the attempts and the longest pause are those of the client', async () => {
    const once = send({ retry: 0 });
    (await FakeRequest.sent(0)).answer(0);
    await expect(once).rejects.toBeInstanceOf(NetworkError);
    const patient = send({ retry: { delayMs: () => 2_000, maxDelayMs: 1_000 } });
    (await FakeRequest.sent(1)).answer(503);
    await expect(patient).rejects.toMatchObject({ code: 503 });
    expect(head).not.toHaveBeenCalled();
    const often = send({ retry: { attempts: 5, delayMs: () => 1 } });
    for (let index = 2; index < 8; index++) (await FakeRequest.sent(index)).answer(0);
    // The first offset is progress, and begins to count again.
    (await FakeRequest.sent(8)).answer(204);
    await often;
  });

  test('the time without progress is that of the client; without a limit it is awaited', async () => {
    vi.useFakeTimers();
    const silent = send({ timeout: 2_000, retry: 0 });
    silent.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_500);
    FakeRequest.all[0]?.upload.onprogress?.({ loaded: 1 });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(FakeRequest.all[0]?.isAborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect(silent).rejects.toBeInstanceOf(NetworkError);
    const endless = send({ timeout: Number.POSITIVE_INFINITY, retry: 0 });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(FakeRequest.all[1]?.isAborted).toBe(false);
    FakeRequest.all[1]?.answer(204);
    await endless;
  });
});
