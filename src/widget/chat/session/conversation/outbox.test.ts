// @vitest-environment jsdom
// Tests the sending of messages: order, lost responses, the queue, unsent messages after a reload, refusals, retries.
import { describe, expect, test, vi } from 'vitest';
import { deleteMessage } from '../../../../client/operations/chat.ts';
import { waitFor } from '../../../../polling.testing.ts';
import { preview } from '../../../../protocol/message.ts';
import {
  changeInOtherTab,
  clientOf,
  codes,
  cutStreams,
  cuttable,
  elsewhere,
  type Interceptor,
  isPost,
  losePosts,
  network,
  openPage,
  pass,
  plain,
  refuse,
  requests,
  serverTexts,
  setUpServer,
  statuses,
} from '../session.testing.ts';

setUpServer();

describe('sending', () => {
  test('messages are sent in the order written, also while the first is slow', async () => {
    const here = openPage();
    await here.session.start();
    let slow = true;
    network.between = async (request, next) => {
      if (request.url.endsWith('/messages') && request.method === 'POST' && slow) {
        slow = false;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return next();
    };
    await Promise.all(['1', '2', '3'].map((text) => here.session.send({ type: 'text', text })));
    expect(here.texts().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
    expect(here.notified().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
  });

  test('a message that is sent before the start has completed waits for it', async () => {
    const here = openPage();
    const sent = here.session.send({ type: 'text', text: 'early' });
    expect(here.store.state.rows[0]?.status).toBe('sending');
    await sent;
    expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'early')?.status).toBe('sent');
  });

  test('a request whose response is lost is repeated with its idempotency key and stored once', async () => {
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(requests).toContain('GET /webchat'));
    let lost = false;
    network.between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/messages') || request.method !== 'POST' || lost) return response;
      lost = true;
      throw new TypeError('connection reset');
    };
    await here.session.send({ type: 'text', text: 'once' });
    expect(lost).toBe(true);
    await waitFor(() => expect(here.texts()).toContain('echo once'));
    expect(here.texts().filter((text) => text === 'once')).toHaveLength(1);
    expect(here.notified().filter((text) => text === 'once')).toHaveLength(1);
  });

  test('a late response does not show a message again that was deleted since', async () => {
    const here = openPage();
    await here.session.start();
    let answer = () => {};
    network.between = async (request, next) => {
      const response = await next();
      if (isPost(request))
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return response;
    };
    const sent = here.session.send({ type: 'text', text: 'gone' });
    await waitFor(() => expect(here.texts()).toContain('echo gone'));
    const { id = '' } = here.store.state.rows.find(({ payload }) => preview(payload) === 'gone') ?? {};
    await here.session.context.client.with({ deleteMessage }).deleteMessage({ id });
    await waitFor(() => expect(here.texts()).not.toContain('gone'));
    answer();
    await sent;
    expect(here.texts()).not.toContain('gone');
    expect(here.notified().filter((text) => text === 'gone')).toHaveLength(1);
  });

  test('on a plain server a request whose response is lost is not repeated; the signal of the message confirms it', async () => {
    network.between = plain;
    const here = openPage();
    await here.session.start();
    network.between = async (request, next) => {
      const response = await plain(request, next);
      if (request.url.endsWith('/messages') && request.method === 'POST')
        throw new TypeError('connection reset');
      return response;
    };
    await here.session.send({ type: 'text', text: 'once' }).catch(() => {});
    await waitFor(() =>
      expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'once')?.status).toBe('sent'),
    );
    expect(requests.filter((line) => line === 'POST /messages')).toHaveLength(1);
  });

  test('messages that cannot be sent are queued, and are sent in order when the network is back', async () => {
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    const was = network.between;
    losePosts();
    const sent = ['1', '2', '3'].map((text) => here.session.methods.sendMessage(text));
    await waitFor(() => expect(statuses(here)).toEqual(['queued', 'queued', 'queued']));
    expect(here.stored.unsent?.map(({ payload }) => preview(payload))).toEqual(['1', '2', '3']);
    // Reported once, and not for every attempt.
    dispatchEvent(new Event('online'));
    await waitFor(() =>
      expect(requests.filter((line) => line === 'POST /messages').length).toBeGreaterThan(1),
    );
    expect(codes(here)).toEqual(['network']);
    network.between = was;
    dispatchEvent(new Event('online'));
    await Promise.all(sent);
    expect((await serverTexts(here)).filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']);
    expect(here.stored.unsent).toBeUndefined();
    await waitFor(() => expect(here.notified().filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3']));
  });

  test.each([
    ['the full server', (_: Request, next: () => Promise<Response>) => next()],
    ['a plain server', plain],
  ] as [string, Interceptor][])(
    'unsent messages are sent once after a reload, whether they had arrived or not: %s',
    async (_, wrap) => {
      network.between = wrap;
      const here = openPage();
      await here.session.start();
      await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
      let count = 0;
      let hasArrived = false;
      network.between = async (request, next) => {
        if (!isPost(request)) return wrap(request, next);
        // The first arrives and its response does not; the second never arrives.
        if (count++ === 0) {
          await wrap(request, next);
          hasArrived = true;
        }
        throw new TypeError('connection reset');
      };
      void here.session.send({ type: 'text', text: 'arrived' }).catch(() => {});
      void here.session.send({ type: 'text', text: 'did not' }).catch(() => {});
      await waitFor(() => expect(hasArrived).toBe(true));
      here.end();
      network.between = wrap;
      const again = openPage({ ...here.stored });
      await again.session.start();
      await waitFor(async () => expect(await serverTexts(again)).toContain('did not'));
      await waitFor(() => expect(again.stored.unsent).toBeUndefined());
      const mine = ['arrived', 'did not'];
      expect((await serverTexts(again)).filter((text) => mine.includes(text))).toEqual(mine);
      await waitFor(() => expect(again.texts().filter((text) => mine.includes(text))).toEqual(mine));
      expect(statuses(again)).toEqual(['sent', 'sent']);
    },
  );

  test('a plain server is searched for a message that may be stored, also behind many later ones', async () => {
    network.between = cuttable(plain);
    const here = openPage();
    await here.session.start();
    let isLost = false;
    network.between = async (request, next) => {
      // After the message nothing gets through: a list would say that it is stored before the page has ended.
      if (request.url.endsWith('/listen') || isLost) throw new TypeError('down');
      if (!isPost(request)) return plain(request, next);
      isLost = true;
      await plain(request, next);
      throw new TypeError('connection reset');
    };
    cutStreams();
    void here.session.send({ type: 'text', text: 'once' }).catch(() => {});
    await waitFor(async () => expect(await serverTexts(here)).toContain('once'));
    here.end();
    expect(here.stored.unsent).toHaveLength(1);
    network.between = plain;
    for (let i = 0; i < 60; i++) await elsewhere(here, `${i}`);
    const again = openPage({ ...here.stored });
    await again.session.start();
    await waitFor(() => expect(again.stored.unsent).toBeUndefined());
    expect((await serverTexts(again)).filter((text) => text === 'once')).toHaveLength(1);
    expect(again.texts().filter((text) => text === 'once')).toHaveLength(1);
  });

  test('restored messages keep their order when the search for the first one finds the conversation gone', async () => {
    network.between = plain;
    const earlier = openPage();
    await earlier.session.start();
    earlier.end();
    const unsent = ['1', '2'].map((text) => ({
      id: text,
      payload: { type: 'text' as const, text },
      createdAt: new Date().toISOString(),
    }));
    let isRefused = false;
    network.between = async (request, next) => {
      // The first list is that of the join, and the second one searches.
      const lists = requests.filter((line) => /^GET .*\/messages$/.test(line)).length;
      if (lists !== 2 || !/\/messages$/.test(request.url) || isRefused) return plain(request, next);
      isRefused = true;
      return Response.json({}, { status: 404 });
    };
    requests.length = 0;
    const again = openPage({ ...earlier.stored, unsent });
    await again.session.start();
    await waitFor(() => expect(again.stored.unsent).toBeUndefined());
    expect(isRefused).toBe(true);
    expect((await serverTexts(again)).filter((text) => /^\d$/.test(text))).toEqual(['1', '2']);
  });

  test('what is written before the messages of an earlier page view are restored is sent after them', async () => {
    const first = openPage();
    await first.session.start();
    losePosts();
    first.session.send({ type: 'text', text: '1' }).catch(() => {});
    await waitFor(() => expect(statuses(first)).toEqual(['queued']));
    first.end();
    pass();
    const here = openPage(first.stored);
    await here.session.send({ type: 'text', text: '2' });
    expect((await serverTexts(here)).filter((text) => /^\d$/.test(text))).toEqual(['1', '2']);
  });

  test('messages keep their order when another tab changes the conversation while the first is under way', async () => {
    const here = openPage();
    await here.session.start();
    losePosts();
    const sending = ['1', '2'].map((text) => here.session.send({ type: 'text', text }).catch(() => {}));
    await waitFor(() => expect(statuses(here)).toEqual(['queued', 'queued']));
    const { id } = (await clientOf(here).createConversation({})).conversation;
    changeInOtherTab(here, { ...here.stored, conversationId: id });
    pass();
    await waitFor(async () =>
      expect((await serverTexts(here)).filter((text) => /^\d$/.test(text))).toHaveLength(2),
    );
    expect((await serverTexts(here)).filter((text) => /^\d$/.test(text))).toEqual(['1', '2']);
    await Promise.all(sending);
    await waitFor(() => expect(statuses(here)).toEqual(['sent', 'sent']));
    expect(here.stored.unsent).toBeUndefined();
  });

  test('a queued message can be discarded, also the first one, and the next is then sent', async () => {
    const here = openPage();
    await here.session.start();
    const was = network.between;
    refuse('POST /messages', 503);
    const first = here.session.methods.sendMessage('first').catch((error) => error.code);
    const second = here.session.methods.sendMessage('second');
    await waitFor(() => expect(statuses(here)).toEqual(['queued', 'queued']));
    network.between = was;
    const key = here.store.state.rows.find(({ payload }) => preview(payload) === 'first')?.key ?? '';
    here.session.discard(key);
    expect(await first).toBe('discarded');
    await second;
    expect(await serverTexts(here)).not.toContain('first');
    expect(here.stored.unsent).toBeUndefined();
    expect(codes(here)).toEqual(['server']);
  });

  test('a successful response without a message does not count as sent', async () => {
    const here = openPage();
    await here.session.start();
    let isPortal = true;
    network.between = async (request, next) =>
      isPost(request) && isPortal ? Response.json({ message: 'Please log in' }) : next();
    const sent = here.session.methods.sendMessage('through the portal');
    await waitFor(() => expect(statuses(here)).toEqual(['queued']));
    isPortal = false;
    dispatchEvent(new Event('online'));
    await sent;
    expect((await serverTexts(here)).filter((text) => text === 'through the portal')).toHaveLength(1);
  });

  test.each([
    'text',
    7,
    [null, 7, 'x', {}, { id: 'a' }, { id: 'b', payload: null, createdAt: '2026-01-01T00:00:00Z' }],
    [{ id: 'c', payload: { type: 'text', text: 'when' }, createdAt: 'never' }],
  ])('invalid unsent messages of the record are ignored: %j', async (unsent) => {
    const here = openPage({ unsent } as never);
    await here.session.start();
    await here.session.send({ type: 'text', text: 'fine' });
    expect(statuses(here)).toEqual(['sent']);
    expect(here.stored.unsent).toBeUndefined();
  });

  test('a refused message fails and is reported; discard removes it, retry sends it', async () => {
    const here = openPage();
    await here.session.start();
    refuse('POST /messages', 400);
    await expect(here.session.send({ type: 'text', text: 'no' })).rejects.toMatchObject({ code: 'rejected' });
    await expect(here.session.send({ type: 'text', text: 'never' })).rejects.toMatchObject({
      code: 'rejected',
    });
    const [first, second] = here.store.state.rows.filter(({ status }) => status === 'failed');
    expect(here.events.filter(([type]) => type === 'error')).toHaveLength(2);
    here.session.discard(second?.key ?? '');
    pass();
    here.session.retry(first?.key ?? '');
    await waitFor(() => expect(here.texts()).toContain('echo no'));
    expect(here.texts()).not.toContain('never');
  });

  test('a quota error (403) fails only the message: the conversation stays, and retry sends it', async () => {
    const here = openPage();
    await here.session.start();
    // The last request of the start.
    await waitFor(() => expect(here.store.state.handling).toBeDefined());
    const { conversationId } = here.stored;
    const rejectionOf = {
      id: 'err',
      code: 403,
      type: 'QuotaExceeded',
      message: 'This chat has reached its quota.',
    };
    refuse('POST /messages', 403, rejectionOf);
    const before = requests.length;
    await expect(here.session.send({ type: 'text', text: 'kept' })).rejects.toMatchObject({
      code: 'rejected',
      message: rejectionOf.message,
    });
    expect(requests.slice(before)).toEqual(['POST /messages']);
    const [row] = here.store.state.rows.filter(({ status }) => status === 'failed');
    expect([preview(row?.payload), here.stored.conversationId]).toEqual(['kept', conversationId]);
    expect(here.store.state).toMatchObject({ connection: 'online', isRenewed: false });
    pass();
    here.session.retry(row?.key ?? '');
    await waitFor(() => expect(here.texts()).toContain('echo kept'));
    expect(here.stored.conversationId).toBe(conversationId);
  });

  test.each([429, 507])(
    'a message that is refused with %d waits for Retry-After, and is then sent',
    async (status) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const here = openPage();
        await waitFor(() => here.session.start());
        let refusals = 0;
        network.between = async (request, next) => {
          if (!request.url.endsWith('/messages') || request.method !== 'POST' || refusals > 0) return next();
          refusals += 1;
          return Response.json({}, { status, headers: { 'retry-after': '1800' } });
        };
        const sending = here.session.send({ type: 'text', text: 'late' });
        // The pause begins with the refusal.
        await waitFor(() => expect(statuses(here)).toContain('queued'));
        await vi.advanceTimersByTimeAsync(1_799_000);
        expect(statuses(here)).toContain('queued');
        const posts = () => requests.filter((line) => line === 'POST /messages').length;
        expect(posts()).toBe(1);
        await vi.advanceTimersByTimeAsync(2_000);
        // The timers go on meanwhile.
        await waitFor(() => sending);
        expect(posts()).toBe(2);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('a restart while a message is under way leaves it in the old conversation', async () => {
    const here = openPage();
    await here.session.start();
    const old = here.stored.conversationId;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    network.between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/messages') && request.method === 'POST') await gate;
      return response;
    };
    const sending = here.session.send({ type: 'text', text: 'to the old one' }).catch((error) => error.code);
    await waitFor(() => expect(requests).toContain('POST /messages'));
    await here.session.methods.restartConversation();
    release();
    await sending;
    expect(here.stored.conversationId).not.toBe(old);
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
    pass();
    await here.session.send({ type: 'text', text: 'to the new one' });
    await waitFor(() => expect(here.texts()).toEqual(['Welcome', 'to the new one', 'echo to the new one']));
  });
});
