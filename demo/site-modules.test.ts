// Tests of the modules of the demo page: the cart, the switch that takes the page offline, and the figures.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { createCart, summaryOf } from './site/demo/cart.js';
import { createConnection } from './site/demo/connection.js';
import { bytesOf, createTally, shiftOf } from './site/demo/figures.js';

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
    for (const quantity of [0, -1, 10, 1.5, '2'])
      expect(() => cart.add('bag', quantity as number)).toThrow(/1 to 9/);
    expect(cart.content().items).toBe(0);
  });
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
  test('a message is confirmed once, and lost only if the server refuses it', () => {
    const tally = createTally();
    tally.send();
    tally.send();
    tally.confirm('a');
    tally.confirm('a');
    expect(tally.read()).toEqual({ sent: 2, confirmed: 1, lost: 0 });
    tally.refuse();
    expect(tally.read()).toEqual({ sent: 2, confirmed: 1, lost: 1 });
    // A message of another tab.
    tally.confirm('b');
    tally.confirm('c');
    expect(tally.read()).toMatchObject({ sent: 3, confirmed: 3 });
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

test('the page offers every language of the chat', () => {
  const code = readFileSync('demo/site/demo/site.js', 'utf8');
  const offered = /'(en ar [^']+)'/.exec(code)?.[1]?.split(' ') ?? [];
  const files = readdirSync('src/locales')
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5));
  expect([...offered].sort()).toEqual(files.sort());
});
