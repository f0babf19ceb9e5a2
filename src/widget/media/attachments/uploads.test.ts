// @vitest-environment jsdom
// Tests the files that are refused before upload, the resulting message, and that no file outlives its scope.
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import type { NewFile } from '../../../protocol/types/chat.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import { createStore, type Store } from '../../chat/store/store.ts';
import { createConfig } from '../../launcher/config.ts';
import { attach, removeAttachment, retryAttachment, sendFile, takeAttachments } from './uploads.ts';

vi.mock('../../../client/chat/upload.ts', () => ({ upload: (options: unknown) => uploading(options) }));
afterAll(() => vi.doUnmock('../../../client/chat/upload.ts'));

let uploading: (options: unknown) => Promise<void>;
let store: Store;
let visit: AbortController;
let context: SessionContext;
let attributes: Record<string, string>;
let created: { key: string; size: number; contentType?: string }[];

beforeEach(() => {
  uploading = async () => {};
  attributes = {};
  store = createStore(resolveConfiguration());
  visit = new AbortController();
  created = [];
  setLimits([]);
  // The media type that the server detects: here, the declared one.
  vi.stubGlobal(
    'fetch',
    async (url: string) => new Response(null, { headers: { 'content-type': url.split('#')[1] ?? '' } }),
  );
  context = {
    client: {
      with() {
        return this;
      },
      createFile: async (fields: (typeof created)[0]) => {
        created.push(fields);
        const url = `https://a.test/${fields.key}#${fields.contentType ?? 'application/octet-stream'}`;
        return { file: { id: `file_${fields.key}`, url, uploadUrl: 'https://a.test/up' } as NewFile };
      },
    },
    store,
    widget: createConfig(attributes, () => {}),
    getSignal: () => visit.signal,
    announce: () => {},
    getConversationId: async () => 'c',
    report: (error: unknown) => Object.assign(error as Error, { code: 'network', retryable: true }),
  } as unknown as SessionContext;
});

function setLimits(fileTypes: string[], fileBytes = 1_000, filesPerMessage?: number) {
  store.setWebchat({
    configuration: {},
    features: ['files'],
    limits: {
      messageBytes: 1,
      fileBytes,
      fileTypes,
      ...(filesPerMessage !== undefined && { filesPerMessage }),
    },
  });
}
const file = (name: string, type = 'text/plain', size = 3) => new File(['x'.repeat(size)], name, { type });
const states = () => store.state.attachments.map(({ name, status, problem }) => [name, status, problem?.()]);
const settled = () => waitFor(() => expect(states().map(([, status]) => status)).not.toContain('uploading'));

describe('refused before anything is sent', () => {
  test.each([
    [['image/*'], 'a.txt', 'text/plain', 'This kind of file is not taken'],
    [['image/*'], 'a.png', 'image/png', undefined],
    [['image/*'], 'a.png', '', 'This kind of file is not taken'],
    [['application/pdf', 'text/plain'], 'a.txt', 'text/plain', undefined],
    [['image/png'], 'a.jpg', 'image/jpeg', 'This kind of file is not taken'],
    // A pattern is not a prefix.
    [['image/*'], 'a.x', 'imagex/png', 'This kind of file is not taken'],
    [[], 'a.x', 'any/thing', undefined],
  ] as const)('types %j: %s of type %s', async (types, name, type, problem) => {
    setLimits([...types]);
    attach(context, [file(name, type)]);
    await settled();
    expect(states()).toEqual([[name, problem ? 'failed' : 'uploaded', problem]]);
    expect(created.length).toBe(problem ? 0 : 1);
  });

  test.each([
    [['image/*'], 'image/png', 'a.png', 'image/png', undefined],
    [['image/*'], 'image/png', 'a.gif', 'image/gif', 'This kind of file is not taken'],
    [['image/*'], 'text/plain', 'a.txt', 'text/plain', 'This kind of file is not taken'],
    [[], ' TEXT/* , image/png', 'a.txt', 'text/plain', undefined],
    [[], 'text/csv', 'a.txt', 'text/plain', 'This kind of file is not taken'],
  ] as const)(
    'types %j of the server and %j of the page: %s of type %s',
    async (types, own, name, type, problem) => {
      setLimits([...types]);
      attributes.fileTypes = own;
      attach(context, [file(name, type)]);
      await settled();
      expect(states()).toEqual([[name, problem ? 'failed' : 'uploaded', problem]]);
    },
  );

  test.each([
    [{ maxFiles: '2' }, undefined, 2],
    [{ maxFiles: '7' }, 3.9, 3],
    [{ maxFiles: '2.9' }, 3, 2],
    [{}, 'many' as unknown as number, 8],
  ])('the page allows %j and the server %j files: %i are taken', async (own, perMessage, count) => {
    Object.assign(attributes, own);
    setLimits([], 1_000, perMessage);
    attach(
      context,
      Array.from({ length: 9 }, (_, i) => file(`${i}`)),
    );
    await settled();
    expect(created.length).toBe(count);
    expect(states().at(-1)?.[2]).toBe(`At most ${count} files at a time`);
  });

  test('the page can allow smaller files than the server, and not larger ones', async () => {
    attributes.maxFileBytes = '500';
    attach(context, [file('a', 'text/plain', 501)]);
    attributes.maxFileBytes = '2000';
    attach(context, [file('b', 'text/plain', 1_500)]);
    await settled();
    expect(states()).toEqual([
      ['a', 'failed', 'Larger than 1 kB'],
      ['b', 'failed', 'Larger than 1 kB'],
    ]);
    expect(created).toEqual([]);
  });

  test('too large, empty, one too many; refused files do not count', async () => {
    attach(context, [file('large', 'text/plain', 1_001), file('empty', 'text/plain', 0)]);
    attach(
      context,
      Array.from({ length: 9 }, (_, i) => file(`${i}`)),
    );
    await settled();
    expect(states().filter(([, status]) => status === 'failed')).toEqual([
      ['large', 'failed', 'Larger than 1 kB'],
      ['empty', 'failed', 'This file is empty'],
      ['8', 'failed', 'At most 8 files at a time'],
    ]);
    expect(created.length).toBe(8);
  });
});

describe('a message', () => {
  const types = ['image/png', 'image/svg+xml', 'audio/wav', 'video/webm', 'application/pdf'];

  test('of one file has the type of its bytes, of several it is a bloc with the text last', async () => {
    attach(
      context,
      types.map((type, i) => file(`${i}`, type)),
    );
    await settled();
    const payload = takeAttachments(store, 'Look') as { type: string; items: { type: string }[] };
    expect(payload.type).toBe('bloc');
    expect(payload.items.map(({ type }) => type)).toEqual([
      'image',
      'file',
      'audio',
      'video',
      'file',
      'text',
    ]);
    expect(store.state.attachments).toEqual([]);
    expect(takeAttachments(store, 'Look')).toBeUndefined();

    attach(context, [file('one.png', 'image/png')]);
    await settled();
    expect(takeAttachments(store, '  ')).toEqual({
      type: 'image',
      imageUrl: 'https://a.test/one.png#image/png',
      fileId: 'file_one.png',
      title: 'one.png',
    });
  });

  test('files that are not uploaded stay in the composer', async () => {
    uploading = async () => {
      throw new Error('cut');
    };
    attach(context, [file('a')]);
    await settled();
    expect(states()).toEqual([['a', 'failed', 'Not uploaded']]);
    expect(takeAttachments(store, 'text')).toBeUndefined();
    uploading = async () => {};
    const [failed] = store.state.attachments;
    if (failed) retryAttachment(context, failed);
    await settled();
    expect(states()).toEqual([['a', 'uploaded', undefined]]);
  });
});

describe('an active upload', () => {
  const hanging = (options: unknown) =>
    new Promise<void>((_, reject) => {
      const { signal } = options as { signal: AbortSignal };
      signal.addEventListener('abort', () => reject(signal.reason));
    });

  test('ends without an error when its file is removed', async () => {
    uploading = hanging;
    context.report = () => {
      throw new Error('told of an error');
    };
    attach(context, [file('a')]);
    await waitFor(() => expect(created.length).toBe(1));
    removeAttachment(context, store.state.attachments[0]?.key ?? '');
    expect(states()).toEqual([]);
    await Promise.resolve();
    expect(states()).toEqual([]);
  });

  test('ends with its scope, and leaves nothing to the next', async () => {
    uploading = hanging;
    attach(context, [file('a')]);
    await waitFor(() => expect(created.length).toBe(1));
    visit.abort();
    await waitFor(() => expect(states()).toEqual([]));
  });
});

describe('a file that is a message of its own', () => {
  const voice = () => new File(['sound'], 'voice-message.weba', { type: 'audio/webm' });
  const payload = {
    type: 'audio',
    audioUrl: 'https://a.test/voice-message.weba#audio/webm',
    fileId: 'file_voice-message.weba',
    title: 'Voice',
  };

  test('is sent once when it is uploaded, without the other files, which it does not count as', async () => {
    attributes.maxFiles = '1';
    attach(context, [file('a')]);
    await settled();
    const send = vi.fn();
    sendFile(context, voice(), 'Voice', send);
    await waitFor(() => expect(send).toHaveBeenCalledOnce());
    expect(send).toHaveBeenCalledWith(payload);
    expect(states()).toEqual([['a', 'uploaded', undefined]]);
    expect(takeAttachments(store, '')).toMatchObject({ fileId: 'file_a' });
  });

  test('leaves room for the files of the next message while it is uploaded', async () => {
    attributes.maxFiles = '1';
    uploading = (options) =>
      (options as { blob: Blob }).blob.size === 5 ? new Promise(() => {}) : Promise.resolve();
    sendFile(context, voice(), 'Voice', () => {});
    attach(context, [file('a')]);
    await waitFor(() =>
      expect(states()).toEqual([
        ['Voice', 'uploading', undefined],
        ['a', 'uploaded', undefined],
      ]),
    );
    visit.abort();
  });

  test.each([
    [['image/*'], 1_000, 'This kind of file is not taken'],
    [[], 4, 'Larger than 4 bytes'],
  ] as const)('is refused by the types %j and %d bytes', async (types, bytes, problem) => {
    setLimits([...types], bytes);
    const send = vi.fn();
    sendFile(context, voice(), 'Voice', send);
    expect(states()).toEqual([['Voice', 'failed', problem]]);
    expect(send).not.toHaveBeenCalled();
  });

  test('is not sent if the visitor removes it, or leaves the conversation', async () => {
    for (const leave of [
      () => removeAttachment(context, store.state.attachments[0]?.key ?? ''),
      () => visit.abort(),
    ]) {
      let finish = () => {};
      const begun = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
      uploading = begun;
      const send = vi.fn();
      sendFile(context, voice(), 'Voice', send);
      await waitFor(() => expect(begun).toHaveBeenCalled());
      leave();
      finish();
      await waitFor(() => expect(states()).toEqual([]));
      expect(send).not.toHaveBeenCalled();
    }
  });

  test('is tried again when the browser is online, however often, and goes with its conversation', async () => {
    const cut = async () => {
      throw new Error('cut');
    };
    uploading = cut;
    const send = vi.fn();
    sendFile(context, voice(), 'Voice', send);
    for (let i = 0; i < 2; i++) {
      await settled();
      expect(states()).toEqual([['Voice', 'failed', 'Not uploaded']]);
      dispatchEvent(new Event('online'));
      expect(states()).toEqual([['Voice', 'uploading', undefined]]);
    }
    await settled();
    uploading = async () => {};
    dispatchEvent(new Event('online'));
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(send).toHaveBeenCalledOnce());
    expect(states()).toEqual([]);

    uploading = cut;
    sendFile(context, voice(), 'Voice', send);
    await settled();
    visit.abort();
    expect(states()).toEqual([]);
    dispatchEvent(new Event('online'));
    expect(send).toHaveBeenCalledOnce();
  });
});
