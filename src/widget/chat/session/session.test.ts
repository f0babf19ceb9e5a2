// @vitest-environment jsdom
// Tests the session with the real server in this process, with all features and reduced to a plain Chat API: start,
// resume, cut streams, older pages, a busy server, invalid data.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { preview } from '../../../protocol/message.ts';
import { askAgain } from '../../extras/message/answer-again.ts';
import {
  chatUrl,
  clientOf,
  cutStreams,
  cuttable,
  elsewhere,
  type Interceptor,
  network,
  openPage,
  plain,
  requests,
  serverTexts,
  setUpServer,
} from './session.testing.ts';

setUpServer();

describe.each([
  ['the full server', (internals: Interceptor) => internals],
  ['a plain Chat API server', (_: Interceptor) => plain],
])('%s', (_, wrap) => {
  beforeEach(() => {
    network.between = cuttable(wrap(network.between));
  });

  test('a new visitor: events are conversation, started, then the message of the bot', async () => {
    const first = openPage();
    await first.session.start();
    await waitFor(() => expect(first.texts()).toEqual(['Welcome']));
    expect(first.events.map(([type]) => type)).toEqual(['conversation', 'started', 'message']);
    expect(first.events[0]?.[1]).toBe(first.stored.conversationId);
    await first.session.start();
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
  });

  test('a returning visitor resumes: no new conversation, no events for history, unread messages are counted', async () => {
    const first = openPage();
    await first.session.start();
    await waitFor(() => expect(first.texts().filter(Boolean)).toEqual(['Welcome']));
    await first.session.send({ type: 'text', text: 'hello' });
    await waitFor(() => expect(first.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
    first.end();
    await elsewhere(first, 'later');
    await waitFor(async () => expect(await serverTexts(first)).toHaveLength(5));
    const again = openPage({ ...first.stored }, { isOpen: false });
    await again.session.start();
    await waitFor(() =>
      expect(again.texts()).toEqual(['Welcome', 'hello', 'echo hello', 'later', 'echo later']),
    );
    expect(again.events.map(([type]) => type)).toEqual(['started']);
    expect(again.unread()).toBe(1);
  });

  test('after a cut, missed messages are shown once and in order, and are reported in order', async () => {
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    network.between = (
      (was) => (request, next) =>
        request.url.endsWith('/listen') ? Promise.reject(new TypeError('down')) : was(request, next)
    )(network.between);
    const listens = requests.filter((line) => line.endsWith('/listen')).length;
    cutStreams();
    for (const text of ['a', 'b', 'c']) await elsewhere(here, text);
    await waitFor(() =>
      expect(requests.filter((line) => line.endsWith('/listen')).length).toBeGreaterThan(listens),
    );
    network.between = cuttable(wrap((_request, next) => next()));
    dispatchEvent(new Event('online'));
    const all = ['Welcome', 'a', 'b', 'c', 'echo a', 'echo b', 'echo c'];
    await waitFor(() => expect(here.texts().toSorted()).toEqual(all.toSorted()));
    expect(here.notified()).toEqual(here.texts());
    // After a list, more is asked for before the connection counts as restored.
    await waitFor(() => expect(here.store.state.connection).toBe('online'));
  });

  test('each older page of a long conversation is loaded once', async () => {
    const here = openPage();
    await here.session.start();
    for (let i = 0; i < 70; i++) await elsewhere(here, `${i}`);
    await waitFor(() => expect(here.store.state.rows).toHaveLength(141));
    here.end();
    const again = openPage({ ...here.stored });
    await again.session.start();
    expect(again.store.state.history).toBe('more');
    const before = again.texts().length;
    await Promise.all([again.session.loadOlder(), again.session.loadOlder()]);
    expect(again.texts().length).toBe(before * 2);
    while (again.store.state.history === 'more') await again.session.loadOlder();
    expect(again.texts()).toEqual(here.texts());
    expect(again.store.state.history).toBe('complete');
  });

  test('a widget that is destroyed at any moment of the start reports no error and sends nothing more', async () => {
    for (let step = 1; step <= 5; step++) {
      const here = openPage();
      let count = 0;
      const was = network.between;
      network.between = async (request, next) => {
        if (++count === step) here.end();
        return was(request, next);
      };
      await here.session.start().catch(() => {});
      // At the latest now: before what loads while the page is idle.
      here.end();
      const sent = requests.length;
      await new Promise((resolve) => setTimeout(resolve));
      network.between = was;
      expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
      expect(requests.length).toBe(sent);
    }
  });
});

test('a message that was deleted during a cut of a plain server disappears, and rows before the listed page stay', async () => {
  network.between = cuttable(plain);
  const here = openPage();
  await here.session.start();
  for (let i = 0; i < 40; i++) await elsewhere(here, `${i}`);
  await waitFor(() => expect(here.store.state.rows).toHaveLength(81));
  network.between = (request, next) =>
    request.url.endsWith('/listen') ? Promise.reject(new TypeError('down')) : plain(request, next);
  cutStreams();
  const { messages } = await clientOf(here).listMessages({
    conversationId: here.stored.conversationId ?? '',
  });
  const deleted = messages.find(({ payload }) => preview(payload) === '39')?.id ?? '';
  await clientOf(here).deleteMessage({ id: deleted });
  network.between = cuttable(plain);
  dispatchEvent(new Event('online'));
  await waitFor(() => expect(here.store.state.rows.map(({ id }) => id)).not.toContain(deleted));
  expect(here.store.state.rows).toHaveLength(80);
});

test('askAgain sends the visitor’s last message before that row again, and both turns stay on a plain server', async () => {
  network.between = plain;
  const here = openPage();
  await here.session.start();
  await here.session.send({ type: 'text', text: 'one' });
  await waitFor(() => expect(here.texts()).toContain('echo one'));
  const answer = here.store.state.rows.at(-1);
  askAgain(here, answer?.key ?? '');
  await waitFor(() => expect(here.texts().filter((text) => text === 'one')).toHaveLength(2));
  askAgain(here, 'no such row');
  await waitFor(() => expect(here.texts().filter((text) => text === 'echo one')).toHaveLength(2));
});

test('askAgain replaces the turn, in this tab and in another one; what was superseded does not return', async () => {
  const here = openPage();
  await here.session.start();
  await here.session.send({ type: 'text', text: 'one' });
  await waitFor(() => expect(here.texts()).toContain('echo one'));
  await here.session.send({ type: 'text', text: 'two' });
  await waitFor(() => expect(here.texts()).toContain('echo two'));
  const before = here.texts();
  const answer = here.store.state.rows.at(-1);
  askAgain(here, answer?.key ?? '');
  await waitFor(() => {
    expect(here.store.state.rows.at(-1)?.id).not.toBe(answer?.id);
    expect(here.texts()).toEqual(before);
  });
  const { conversationId = '' } = here.stored;
  const stored = await clientOf(here).list.messages({ conversationId }).collect();
  expect(stored.filter(({ supersededBy }) => supersededBy)).toHaveLength(2);
  // A list contains them: they are not shown, in any order.
  expect(here.store.receive(stored, () => 'bot')).toEqual([]);
  expect(here.texts()).toEqual(before);
});

test.each([
  ['POST /users', 429],
  ['POST /conversations', 429],
  ['POST /users', 507],
])(
  'while %s is refused with %d the connection is busy, and it recovers automatically',
  async (line, status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const here = openPage();
      let refusals = 0;
      network.between = async (request, next) => {
        if (`${request.method} ${request.url.replace(chatUrl, '')}` !== line || refusals > 0) return next();
        refusals += 1;
        return Response.json({}, { status, headers: { 'retry-after': '60' } });
      };
      const starting = here.session.start();
      await waitFor(() => expect(here.store.state.connection).toBe('busy'));
      await vi.advanceTimersByTimeAsync(61_000);
      // The timers go on meanwhile.
      await waitFor(() => starting);
      expect(here.store.state.connection).toBe('online');
      expect(requests.filter((request) => request === line)).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('without a connection the page may send before the first conversation: shown, kept, and stored once', async () => {
  const here = openPage();
  network.between = async () => {
    throw new TypeError('offline');
  };
  const starting = here.session.start();
  await waitFor(() => expect(here.events.map(([type]) => type)).toContain('started'));
  expect(here.store.state.connection).toBe('unreachable');
  const sent = here.session.methods.sendMessage('From the page');
  expect(here.texts()).toEqual(['From the page']);
  // As any unsent message, it is there after a reload.
  expect(here.stored.unsent).toMatchObject([{ payload: { text: 'From the page' } }]);
  network.between = (_, next) => next();
  dispatchEvent(new Event('online'));
  await Promise.all([starting, sent]);
  await waitFor(() => expect(here.texts()).toContain('echo From the page'));
  expect((await serverTexts(here)).filter((text) => text === 'From the page')).toHaveLength(1);
  expect(here.stored.unsent).toBeUndefined();
});

test('invalid data on the stream is ignored', async () => {
  const here = openPage();
  network.between = async (request, next) => {
    const response = await next();
    if (!request.url.endsWith('/listen')) return response;
    const garbage = [
      'not json',
      '[]',
      '{"type":"message_created","data":{}}',
      '{"type":"message_created","data":{"id":"x","createdAt":"never","payload":{"type":"text"}}}',
      '{"type":"message_created","data":{"id":"y","createdAt":"2026-01-01T00:00:00Z","payload":null}}',
      '{"type":"__proto__","data":{}}',
      '{"type":"constructor","data":{}}',
      '{"type":"typing_started","data":{"timeout":"soon"}}',
      '{"type":"message_stream_delta","data":{}}',
    ].map((data) => `data: ${data}\n\n`);
    const whole = new TransformStream<Uint8Array, Uint8Array>({
      start: (out) => out.enqueue(new TextEncoder().encode(garbage.join(''))),
    });
    return new Response(response.body?.pipeThrough(whole) ?? null, response);
  };
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  await here.session.start();
  await waitFor(() => expect(here.texts().filter(Boolean)).toEqual(['Welcome']));
  await here.session.send({ type: 'text', text: 'fine' });
  await waitFor(() => expect(here.texts().filter(Boolean)).toEqual(['Welcome', 'fine', 'echo fine']));
  expect(error).not.toHaveBeenCalled();
});
