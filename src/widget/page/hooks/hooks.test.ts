// @vitest-environment jsdom
// Tests the hooks of the page in a session with the real server: what they change, refuse and break.
import { describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { preview } from '../../../protocol/message.ts';
import type { Hooks } from '../../../protocol/page-api/page-api.ts';
import {
  codes,
  elsewhere,
  isPost,
  network,
  openPage,
  serverTexts,
  setUpServer,
  statuses,
} from '../../chat/session/session.testing.ts';

setUpServer();

/** A page view with these hooks, as `platform.use` adds them. */
const pageWith = (...list: Hooks[]) =>
  openPage({}, { hooks: new Set(list.map((hook) => Object.create(hook))) });
type Page = ReturnType<typeof pageWith>;
const send = ({ session }: Page, text: string) => session.send({ type: 'text', text });
const text = (value: string) => ({ payload: { type: 'text' as const, text: value } });
const textOf = ({ payload }: { payload: unknown }) => preview(payload);
/** Starts the chat and waits for the greeting, so that the order of the messages is known. */
const begin = async (here: Page) => {
  await here.session.start();
  await waitFor(() => expect(here.texts()).toHaveLength(1));
};
/** The texts of the visitor, as the transcript shows them. */
const own = ({ store }: Page) =>
  store.state.rows.filter(({ side }) => side === 'visitor').map(({ payload }) => preview(payload));

describe('beforeSend', () => {
  test('several hooks change a message in their order, also asynchronously, and the visitor sees what was sent', async () => {
    const here = pageWith(
      { beforeSend: async (message) => text(`${textOf(message)} b`) },
      { beforeSend: () => undefined },
      { beforeSend: (message) => text(`${textOf(message)} c`) },
    );
    await send(here, 'a');
    expect(await serverTexts(here)).toContain('a b c');
    expect(own(here)).toEqual(['a b c']);
    expect(here.stored.unsent).toBeUndefined();
  });

  test('null refuses a message: it is neither sent nor shown nor kept, and what follows is sent', async () => {
    const here = pageWith({ beforeSend: (message) => (textOf(message) === '/clear' ? null : undefined) });
    await expect(send(here, '/clear')).rejects.toMatchObject({ code: 'discarded' });
    expect(own(here)).toEqual([]);
    expect(here.stored.unsent).toBeUndefined();
    await send(here, 'hello');
    expect(await serverTexts(here)).not.toContain('/clear');
    expect(own(here)).toEqual(['hello']);
    expect(codes(here)).toEqual([]);
  });

  test.each<[string, NonNullable<Hooks['beforeSend']>]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['returns no message', () => 'text' as never],
    ['returns a payload without a type', () => ({ payload: {} }) as never],
    ['returns what cannot be copied', () => ({ payload: { type: 'text', text: () => {} } }) as never],
  ])(
    'if a hook %s, nothing is sent, the text stays with a way to send it again, and it is reported',
    async (_, bad) => {
      const hook = { beforeSend: bad };
      const here = pageWith(hook);
      await expect(send(here, 'my card is 4111')).rejects.toMatchObject({ code: 'hook_failed' });
      expect(codes(here)).toEqual(['hook_failed']);
      expect(own(here)).toEqual(['my card is 4111']);
      expect(statuses(here)).toEqual(['failed']);
      expect(here.stored.unsent).toHaveLength(1);
      expect(await serverTexts(here)).not.toContain('my card is 4111');
      hook.beforeSend = () => text('my card is ****');
      here.session.retry(here.store.state.rows.find(({ side }) => side === 'visitor')?.key ?? '');
      await waitFor(() => expect(statuses(here)).toEqual(['sent']));
      expect(await serverTexts(here)).toContain('my card is ****');
    },
  );

  test('a hook that does not answer has failed after ten seconds', async () => {
    const here = pageWith({ beforeSend: () => new Promise(() => {}) });
    await here.session.start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const sending = expect(send(here, 'waits')).rejects.toMatchObject({ code: 'hook_failed' });
      await vi.advanceTimersByTimeAsync(9_000);
      expect(codes(here)).toEqual([]);
      await vi.advanceTimersByTimeAsync(2_000);
      await sending;
    } finally {
      vi.useRealTimers();
    }
  });

  test('another attempt after a lost connection sends the same message, and the hook runs once', async () => {
    let count = 0;
    const here = pageWith({ beforeSend: (message) => text(`${textOf(message)} ${++count}`) });
    await here.session.start();
    let isLost = false;
    network.between = async (request, next) => {
      if (!isPost(request) || isLost) return next();
      isLost = true;
      throw new TypeError('lost');
    };
    const sending = send(here, 'once');
    await waitFor(() => expect(statuses(here)).toEqual(['queued']));
    dispatchEvent(new Event('online'));
    await sending;
    expect(count).toBe(1);
    expect((await serverTexts(here)).filter((text) => text.startsWith('once'))).toEqual(['once 1']);
  });

  test('a hook cannot change the message in place', async () => {
    const here = pageWith({
      beforeSend: ({ payload }) => {
        Object.assign(payload, { text: 'changed' });
      },
    });
    await send(here, 'kept');
    expect(await serverTexts(here)).toContain('kept');
  });
});

describe('afterReceive', () => {
  test('it changes what is shown, in order, and neither what is stored nor what the page receives', async () => {
    const here = pageWith(
      { afterReceive: (message) => (message.isBot ? text(`${textOf(message)}!`) : undefined) },
      { afterReceive: (message) => (message.isBot ? text(textOf(message).toUpperCase()) : undefined) },
    );
    await begin(here);
    await send(here, 'hello');
    await waitFor(() => expect(here.texts()).toEqual(['WELCOME!', 'hello', 'ECHO HELLO!']));
    expect(here.notified()).toEqual(['Welcome', 'hello', 'echo hello']);
    expect(await serverTexts(here)).toEqual(['Welcome', 'hello', 'echo hello']);
  });

  test('it runs for the history and for the messages of the visitor', async () => {
    const first = openPage();
    await begin(first);
    await send(first, '[shop] hello');
    await waitFor(() => expect(first.texts()).toHaveLength(3));
    first.end();
    const hooks = new Set<Hooks>([
      { afterReceive: (message) => text(textOf(message).replace('[shop] ', '')) },
    ]);
    const here = openPage(first.stored, { hooks });
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
  });

  test('null hides a message of the bot, which is neither counted nor announced; one of the visitor stays', async () => {
    const here = pageWith({ afterReceive: (message) => (/hidden/.test(textOf(message)) ? null : undefined) });
    Object.assign(here.widget, { isOpen: false });
    await begin(here);
    await send(here, 'hidden');
    await send(here, 'shown');
    await waitFor(() => expect(here.texts()).toContain('echo shown'));
    expect(here.texts()).toEqual(['Welcome', 'hidden', 'shown', 'echo shown']);
    expect(here.notified()).not.toContain('echo hidden');
    expect(here.unread()).toBe(2);
    expect(statuses(here)).toEqual(['sent', 'sent']);
  });

  test('a hook that throws, or returns a wrong payload, leaves the message as it is and is reported once', async () => {
    const here = pageWith(
      {
        afterReceive: () => {
          throw new Error('broken');
        },
      },
      { afterReceive: () => ({ payload: 3 }) as never },
      { afterReceive: (message) => text(`${textOf(message)}!`) },
    );
    await here.session.start();
    await elsewhere(here, 'one');
    await elsewhere(here, 'two');
    await waitFor(() => expect(here.texts()).toContain('echo two!'));
    expect(codes(here)).toEqual(['hook_failed', 'hook_failed']);
  });
});

test('hooks that are added while the chat is in use change the next message, and removed ones do not', async () => {
  const hooks = new Set<Hooks>();
  const here = openPage({}, { hooks });
  await send(here, 'one');
  const added: Hooks = Object.create({
    beforeSend: (message) => text(`${textOf(message)}!`),
  } satisfies Hooks);
  hooks.add(added);
  await send(here, 'two');
  hooks.delete(added);
  await send(here, 'three');
  expect(own(here)).toEqual(['one', 'two!', 'three']);
});

test('nothing is sent without the hooks when their code cannot be loaded at first', async () => {
  const bundles = await import('../../chat/bundles.ts');
  const get = vi
    .spyOn(bundles.pageUser, 'get')
    .mockRejectedValueOnce(Object.assign(new Error('lost'), { code: 'chunk_failed', retryable: true }));
  const here = pageWith({ beforeSend: () => text('changed') });
  await here.session.start().catch(() => {});
  await send(here, 'secret').catch(() => {});
  await here.session.start();
  get.mockRestore();
  expect(await serverTexts(here)).not.toContain('secret');
});

test('an unknown name of a hook is reported once with those there are', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const here = pageWith({ beforesend: () => null } as Hooks);
  await send(here, 'hello');
  expect(codes(here)).toEqual(['invalid_argument']);
  expect(log).toHaveBeenCalledTimes(1);
  expect(log).toHaveBeenCalledWith(expect.stringContaining("no hook 'beforesend', only beforeSend"));
  log.mockRestore();
});
