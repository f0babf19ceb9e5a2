// Tests uploads over real HTTP with connections that are cut, and with a fake XMLHttpRequest.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { base } from '../../server/testing.ts';
import { ApiError, ChatClient, NetworkError, upload } from '../index.ts';
import { type RelayedServer, startRelayedServer } from '../testing.ts';
import { cutAndResume, FakeRequest } from './fake-xhr.testing.ts';

// The tests skip the pauses between attempts; their length is tested with the stream.
// Files of one process share their modules: the others need the real pauses.
vi.hoisted(() => vi.resetModules());
vi.mock('../core/backoff.ts', () => ({ backoffMs: () => beginPause() }));
afterAll(() => {
  vi.doUnmock('../core/backoff.ts');
  vi.resetModules();
});
let pauseMs = 1;
const beginPause = vi.fn(() => pauseMs);
beforeEach(() => {
  pauseMs = 1;
  beginPause.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('over HTTP', () => {
  let relayed: RelayedServer;
  let client: ChatClient;
  /** Called once, with the next request. */
  let onRequest = () => {};

  beforeAll(async () => {
    relayed = await startRelayedServer({}, (request, next) => {
      onRequest();
      onRequest = () => {};
      return next(request);
    });
    client = new ChatClient({ chatUrl: relayed.directUrl + base });
    client.userKey = (await relayed.server.user()).key;
  });
  afterAll(() => relayed.close());

  const methods = () => relayed.requests.map((request) => request.split(' ')[0]);

  async function announce(size: number) {
    const { file } = await client.createFile({ key: 'a.bin', size });
    relayed.requests = [];
    // The bytes use separate connections over the relay.
    return { ...file, uploadUrl: file.uploadUrl.replace(relayed.directUrl, relayed.relayUrl) };
  }
  const content = (size: number) => Uint8Array.from({ length: size }, (_, index) => index % 251);
  const read = async (url: string) =>
    Buffer.from(await (await relayed.server.fetch(new URL(url).pathname)).arrayBuffer());

  test('after each cut it resumes, as long as it makes progress', async () => {
    const bytes = content(5_000_000);
    const file = await announce(bytes.length);
    relayed.relay.cuts = Array.from({ length: 6 }, () => 700_000);
    const seen: number[] = [];
    await upload({
      uploadUrl: file.uploadUrl,
      blob: new Blob([bytes]),
      onProgress: (sent) => seen.push(sent),
    });
    expect((await read(file.url)).equals(bytes)).toBe(true);
    expect(methods().filter((method) => method === 'PATCH').length).toBeGreaterThan(2);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(bytes.length);
  });

  test('without progress it fails after three more attempts', async () => {
    const file = await announce(100);
    relayed.relay.cuts = Array.from({ length: 10 }, () => 0);
    const failing = upload({ uploadUrl: file.uploadUrl, blob: new Blob([content(100)]) });
    await expect(failing).rejects.toBeInstanceOf(NetworkError);
    expect(relayed.relay.cuts.length).toBeGreaterThan(2);
    relayed.relay.cuts = [];
  });

  test('a refusal is an ApiError at once', async () => {
    const file = await announce(10);
    const tooMuch = upload({ uploadUrl: file.uploadUrl, blob: new Blob([content(11)]) });
    await expect(tooMuch).rejects.toMatchObject({ isApiError: true, code: 413, type: 'PayloadTooLarge' });
    const wrongAddress = upload({ uploadUrl: `${file.uploadUrl}x`, blob: new Blob(['x']) });
    await expect(wrongAddress).rejects.toBeInstanceOf(ApiError);
    expect(methods()).toEqual(['PUT', 'PUT']);
  });

  test('an upload that is already complete resolves', async () => {
    const file = await announce(10);
    const blob = new Blob([content(10)]);
    await upload({ uploadUrl: file.uploadUrl, blob });
    await upload({ uploadUrl: file.uploadUrl, blob });
    expect(methods()).toEqual(['PUT', 'PUT', 'HEAD']);
  });

  test('if aborted before, during or between attempts, it rejects with the reason', async () => {
    const reason = new Error('the visitor');
    const file = await announce(20_000_000);
    const blob = new Blob([new Uint8Array(20_000_000)]);
    await expect(upload({ uploadUrl: file.uploadUrl, blob, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(methods()).toEqual([]);
    const onTheWay = new AbortController();
    onRequest = () => onTheWay.abort(reason);
    await expect(upload({ uploadUrl: file.uploadUrl, blob, signal: onTheWay.signal })).rejects.toBe(reason);
    const between = new AbortController();
    pauseMs = 3_600_000;
    // Several, because the connection of the aborted upload may still transfer bytes.
    relayed.relay.cuts = Array.from({ length: 20 }, () => 0);
    const failing = upload({ uploadUrl: file.uploadUrl, blob, signal: between.signal });
    failing.catch(() => {});
    await waitFor(() => expect(beginPause).toHaveBeenCalledOnce());
    between.abort(reason);
    await expect(failing).rejects.toBe(reason);
    relayed.relay.cuts = [];
  });
});

describe('in a browser', () => {
  beforeEach(() => {
    FakeRequest.all = [];
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
  });
  const blob = new Blob(['0123456789']);

  test('progress is reported, and a cut upload resumes', async () => {
    const head = vi.fn(async () => new Response(null, { status: 204, headers: { 'upload-offset': '4' } }));
    vi.stubGlobal('fetch', head);
    const seen: number[] = [];
    const done = upload({ uploadUrl: '/u', blob, onProgress: (sent) => seen.push(sent) });
    const first = await cutAndResume();
    expect([first.line, first.headers]).toEqual(['PUT /u', {}]);
    await done;
    expect(seen).toEqual([6, 4, 7, 10]);
  });

  test('a refusal, and a response that is not from this server', async () => {
    const refused = upload({ uploadUrl: '/u', blob });
    const error = { id: 'err_1', code: 415, type: 'UnsupportedMediaType', message: 'No.' };
    (await FakeRequest.sent(0)).answer(415, JSON.stringify(error));
    await expect(refused).rejects.toMatchObject({ code: 415, message: 'No.', type: 'UnsupportedMediaType' });
    const badAddress = upload({ uploadUrl: '/u', blob });
    (await FakeRequest.sent(1)).answer(413, '<html>');
    await expect(badAddress).rejects.toMatchObject({ code: 413, type: 'Unknown' });
  });

  test('a pause between attempts ends with its timer and its listener', async () => {
    vi.stubGlobal(
      'fetch',
      async () => new Response(null, { status: 204, headers: { 'upload-offset': '4' } }),
    );
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const done = upload({ uploadUrl: '/u', blob, signal });
    (await FakeRequest.sent(0)).answer(0);
    (await FakeRequest.sent(1)).answer(204);
    await done;
    expect(added.mock.calls.length).toBeGreaterThan(2);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);

    vi.useFakeTimers();
    pauseMs = 3_600_000;
    const leaving = upload({ uploadUrl: '/u', blob, signal });
    FakeRequest.all[2]?.answer(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('if aborted, it rejects with the reason; a silent connection is cut', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const reason = new Error('left');
    const leaving = upload({ uploadUrl: '/u', blob, signal: controller.signal });
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    const head = vi.fn(async () => new Response(null, { status: 404 }));
    vi.stubGlobal('fetch', head);
    const silent = upload({ uploadUrl: '/u', blob });
    silent.catch(() => {});
    await vi.advanceTimersByTimeAsync(59_000);
    FakeRequest.all[1]?.upload.onprogress?.({ loaded: 1 });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(head).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    await expect(silent).rejects.toMatchObject({ code: 404 });
  });
});
