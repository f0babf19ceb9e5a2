// Tests of the modules of the demo page: the cart, the questions of its buttons, the tag, the switch that takes the page offline, and the
// figures.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { createCart, summaryOf } from './site/demo/cart.js';
import { createConnection } from './site/demo/connection.js';
import { bytesOf, createTally, shiftOf } from './site/demo/figures.js';
import { createQuestions } from './site/demo/questions.js';
import { tagOf } from './site/demo/tag.js';

describe('cart', () => {
  const products = [
    { id: 'helmet', name: 'Dome helmet', price: 89 },
    { id: 'bag', name: 'Market bag', price: 75 },
  ];

  test('adds up, tells each change, and says what is in it', () => {
    const onChange = vi.fn();
    const cart = createCart(products, onChange);
    expect(summaryOf(cart.content())).toBe('Your cart is empty.');
    cart.add('helmet');
    expect(summaryOf(cart.content())).toBe('In your cart: 1 item, CHF 89');
    expect(cart.add('bag', 2)).toMatchObject({ items: 3, total: 239 });
    cart.remove('helmet');
    expect(cart.content().products).toEqual([{ id: 'bag', name: 'Market bag', price: 75, quantity: 2 }]);
    expect(onChange.mock.calls.flat()).toEqual([
      'Dome helmet is in your cart.',
      'Market bag is in your cart.',
      'Dome helmet was removed.',
    ]);
  });

  test('refuses unknown products and odd quantities with a text for people, and stays as it is', () => {
    const cart = createCart(products, () => {});
    expect(() => cart.add('tandem')).toThrow('The shop has no product “tandem”.');
    expect(() => cart.remove('tandem')).toThrow('The shop has no product “tandem”.');
    for (const quantity of [0, -1, 10, 1.5, '2'])
      expect(() => cart.add('bag', quantity as number)).toThrow(/1 to 9/);
    expect(cart.content().items).toBe(0);
  });

  test('finds products by their names, and empties itself', () => {
    const cart = createCart(products, () => {});
    expect(cart.add('Dome helmet', 2).items).toBe(2);
    cart.add('bag');
    expect(cart.remove('Market bag').products.map(({ id }) => id)).toEqual(['helmet']);
    expect(cart.remove(undefined)).toEqual({ items: 0, total: 0, products: [] });
  });

  test('is there again after a reload, without what the shop does not sell', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    };
    const first = createCart(products, () => {}, storage);
    first.add('helmet', 2);
    expect(createCart(products, () => {}, storage).content()).toMatchObject({ items: 2, total: 178 });
    const contents = [
      'no JSON',
      '{}',
      'null',
      '[["tandem", 1], ["bag", -1], ["bag", "2"], [], null, 7, ["helmet", 1]]',
    ];
    const items = contents.map((content) => {
      stored.set(first.key, content);
      return createCart(products, () => {}, storage).content().items;
    });
    expect(items).toEqual([0, 0, 0, 1]);
  });

  test('works without a storage, and with one that the browser forbids', () => {
    const forbidden = () => {
      throw new DOMException('No', 'SecurityError');
    };
    const cart = createCart(products, () => {}, { getItem: forbidden, setItem: forbidden });
    expect(cart.add('bag').items).toBe(1);
  });
});

describe('questions', () => {
  function start(stored: string | null = null) {
    const handlers = new Map<string, Set<(payload: unknown) => void>>();
    const sent: { text: string; end: () => void }[] = [];
    const platform = {
      open: vi.fn(),
      on(type: string, handler: (payload: unknown) => void) {
        const list = handlers.get(type) ?? new Set();
        handlers.set(type, list.add(handler));
        return () => list.delete(handler);
      },
      sendMessage: (text: string) => new Promise<void>((end) => sent.push({ text, end })),
    };
    const emit = (type: string, payload?: unknown) => {
      for (const handler of [...(handlers.get(type) ?? [])]) handler(payload);
    };
    const say = vi.fn();
    const setItem = vi.fn();
    const ask = createQuestions({
      withChat: (callback: (chat: unknown) => void) => callback(platform),
      say,
      storage: { getItem: () => stored, setItem },
    });
    return { ask, emit, platform, say, sent, setItem };
  }

  test('a question is sent when the chat is ready, and once while it is on its way', async () => {
    const { ask, emit, platform, sent } = start();
    ask('Hello');
    ask('Hello');
    expect(platform.open).toHaveBeenCalledTimes(2);
    expect(sent).toEqual([]);
    emit('webchat:ready');
    ask('Hello');
    ask('More');
    emit('webchat:ready');
    expect(sent.map(({ text }) => text)).toEqual(['Hello', 'More']);
    sent[0]?.end();
    await vi.waitFor(() => {
      ask('Hello');
      emit('webchat:ready');
      expect(sent).toHaveLength(3);
    });
  });

  test('while a person is asked for, nothing is sent, and the page says how the bot comes back', () => {
    const { ask, emit, say, sent, setItem } = start();
    emit('customEvent', { type: 'answered_by', by: 'person' });
    expect(setItem).toHaveBeenLastCalledWith('northwind-person', 'yes');
    ask('Hello');
    emit('webchat:ready');
    expect(sent).toEqual([]);
    expect(say).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Back to the assistant'));
    emit('customEvent', { type: 'greeting' });
    emit('customEvent', { type: 'answered_by', by: 'bot' });
    ask('Hello');
    emit('webchat:ready');
    expect(sent).toHaveLength(1);
  });

  test('a reload remembers the person, and a new conversation begins with the bot', () => {
    const { ask, emit, sent } = start('yes');
    ask('Hello');
    emit('webchat:ready');
    expect(sent).toEqual([]);
    emit('conversation', 'conv_1');
    ask('Hello');
    emit('webchat:ready');
    expect(sent).toHaveLength(1);
  });
});

test('the tag has the attributes that have a value', () => {
  expect(tagOf('https://a.example/webchat.js', { 'data-color': '#123456', 'data-radius': undefined })).toBe(
    '<script src="https://a.example/webchat.js" data-color="#123456" async></script>',
  );
});

describe('connection', () => {
  function start() {
    const signals: AbortSignal[] = [];
    const page = Object.assign(new EventTarget(), {
      navigator: { onLine: true },
      fetch: async (_: string, init: { signal: AbortSignal }) => {
        init.signal.throwIfAborted();
        signals.push(init.signal);
        return new Response('ok');
      },
    });
    const seen: string[] = [];
    for (const type of ['online', 'offline']) page.addEventListener(type, () => seen.push(type));
    return { page, signals, seen, setOnline: createConnection(page) };
  }

  test('offline, requests fail as without a network, and open ones are cut; back online they work', async () => {
    const { page, signals, seen, setOnline } = start();
    await page.fetch('/stream', {} as never);
    setOnline(false);
    expect(page.navigator.onLine).toBe(false);
    expect(signals[0]?.reason).toBeInstanceOf(TypeError);
    await expect(page.fetch('/messages', {} as never)).rejects.toThrow(TypeError);
    expect(signals).toHaveLength(1);
    setOnline(true);
    expect(page.navigator.onLine).toBe(true);
    await expect(page.fetch('/messages', {} as never)).resolves.toBeInstanceOf(Response);
    expect(seen).toEqual(['offline', 'online']);
  });

  test('a caller can still abort its own request, before and after it began', async () => {
    const { page, signals } = start();
    const controller = new AbortController();
    await page.fetch('/a', controller);
    expect(signals[0]?.aborted).toBe(false);
    controller.abort(new Error('enough'));
    expect(signals[0]?.reason).toEqual(new Error('enough'));
    const early = { signal: AbortSignal.abort(new Error('early')) };
    await expect(page.fetch('/b', early)).rejects.toThrow('early');
  });
});

describe('figures', () => {
  test('a message waits until it is confirmed, and is lost only if the server refuses it', () => {
    const tally = createTally();
    expect(tally.read()).toEqual({ sent: 0, confirmed: 0, waiting: 0, lost: 0 });
    tally.send('1', 'Hello');
    tally.send('1', 'Hello');
    tally.send('2', 'Hello');
    expect(tally.read()).toEqual({ sent: 2, confirmed: 0, waiting: 2, lost: 0 });
    tally.confirm('a', 'Hello');
    tally.confirm('a', 'Hello');
    expect(tally.read()).toEqual({ sent: 2, confirmed: 1, waiting: 1, lost: 0 });
    tally.refuse();
    expect(tally.read()).toEqual({ sent: 2, confirmed: 1, waiting: 0, lost: 1 });
  });

  test('a message of another tab is confirmed and takes no place, and a discarded one does not wait for ever', () => {
    const tally = createTally();
    tally.send('1', 'Discarded');
    tally.confirm('a', 'From another tab');
    expect(tally.read()).toEqual({ sent: 2, confirmed: 1, waiting: 1, lost: 0 });
    tally.send('2', 'Kept');
    tally.confirm('b', 'Kept');
    expect(tally.read()).toEqual({ sent: 2, confirmed: 2, waiting: 0, lost: 0 });
  });

  test('the bytes are those of the code and of the API of the chat, also below a path', () => {
    const entries = [
      ['webchat/chat.js', 100],
      ['chat/demo/webchat.js', 20],
      ['chat/demo/messages', 3],
      ['demo/site.js', 1_000],
      ['chat/other/messages', 1_000],
    ].map(([path, transferSize]) => ({ name: `https://shop.example/sub/${path}`, transferSize }));
    expect(bytesOf(entries, 'https://shop.example/sub/chat/demo/webchat.js')).toBe(123);
  });

  test('a shift counts if an element of the page moved without an action of the visitor', () => {
    const moved = (node: object | null, hadRecentInput = false) => ({
      value: 0.1,
      hadRecentInput,
      sources: [{ node }],
    });
    expect(shiftOf([moved(null), moved({}, true)])).toBe(0);
    expect(shiftOf([moved({})])).toBe(0.1);
  });
});

test('the page offers every language of the chat, with its own name', () => {
  // Written in the page: a browser needs tens of milliseconds to look up the names.
  const page = readFileSync('demo/site/index.html', 'utf8');
  const offered = [...page.matchAll(/<option value="(.+?)" lang="(.+?)">(.+?)<\/option>/g)].map(
    ([, value = '', lang, name]) => ({ value, lang, name }),
  );
  const files = readdirSync('src/locales')
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5));
  expect(offered.map(({ value }) => value).sort()).toEqual(files.sort());
  for (const { value, lang, name } of offered) {
    expect(lang).toBe(value);
    expect(name).toBe(new Intl.DisplayNames([value], { type: 'language' }).of(value));
  }
});
