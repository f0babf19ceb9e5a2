// The script of a third-party page that uses the chat: buttons that ask something, tools that fill the cart, colors and language.
import { createCart, summaryOf } from './cart.js';
import { createConnection } from './connection.js';
import { bytesOf, createTally, kilobytes, measureOpening, observe, shiftOf } from './figures.js';

/** Calls are queued, so they work before the chat's script has loaded. */
function withChat(callback) {
  window.platform = window.platform || [];
  window.platform.push(callback);
}
const find = (selector) => document.querySelector(selector);
const all = (selector) => document.querySelectorAll(selector);
const show = (selector, text) => {
  for (const element of all(selector)) element.textContent = text;
};
const on = (selector, type, handler) => {
  for (const element of all(selector)) element.addEventListener(type, handler);
};

// Buttons that ask something: `data-ask` is what the visitor says. The chat opens, and sends it when it is ready.
on('[data-ask]', 'click', ({ currentTarget }) => ask(currentTarget.dataset.ask));
function ask(text) {
  withChat((platform) => {
    platform.open();
    // Also called if the chat has been ready for long, but never at once.
    const stop = platform.on('webchat:ready', () => {
      stop();
      // While the page is offline the promise waits with the message.
      platform.sendMessage(text).catch(() => {});
    });
  });
}

// Orders that the bot shows. The data comes from the bot, so it is shown as text and never as HTML.
withChat((platform) =>
  platform.registerBlock({
    name: 'order',
    describe: ({ id, steps = [], done = 0 }) => `Order ${id}: ${steps[done - 1] ?? 'unknown'}`,
    render({ id, steps = [], done = 0, items = [] }, element) {
      const add = (parent, tag, text, className = '') => {
        const child = document.createElement(tag);
        child.textContent = text;
        child.className = className;
        return parent.appendChild(child);
      };
      const order = add(element, 'div', '', 'order');
      add(order, 'strong', `Order ${id}`);
      const track = add(order, 'ol', '');
      steps.forEach((step, index) => {
        add(track, 'li', step, index < done ? 'done' : '');
      });
      const list = add(order, 'dl', '');
      for (const { name, price } of items) {
        add(list, 'dt', name);
        add(list, 'dd', price);
      }
    },
  }),
);

// The cart, and the tools with which the bot reads and fills it. The visitor approves each call that changes something.
const products = [...all('[data-product]')].map((element) => ({
  id: element.dataset.product,
  name: element.querySelector('h3').textContent,
  price: Number(element.dataset.price),
}));
let toast;
const cart = createCart(products, (message) => {
  drawCart();
  show('.toast', message);
  clearTimeout(toast);
  toast = setTimeout(() => show('.toast', ''), 6_000);
});
on('[data-add]', 'click', ({ currentTarget }) =>
  cart.add(currentTarget.closest('[data-product]').dataset.product),
);
function drawCart() {
  const content = cart.content();
  show('[data-cart="items"]', content.items);
  show('[data-cart="summary"]', summaryOf(content));
  const rows = content.products.map(({ id, name, quantity }) => {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.className = 'plain small';
    button.textContent = 'Remove';
    button.setAttribute('aria-label', `Remove ${name}`);
    button.addEventListener('click', () => cart.remove(id));
    row.append(`${quantity} × ${name}`, button);
    return row;
  });
  find('[data-cart="list"]').replaceChildren(...rows);
}
if (products.length > 0)
  withChat((platform) => {
    platform.registerTool({
      name: 'add_to_cart',
      title: 'Add to the cart',
      description: 'Adds a product to the cart of the visitor. Returns what is in the cart.',
      inputSchema: {
        type: 'object',
        properties: { product: { enum: products.map(({ id }) => id) }, quantity: { type: 'integer' } },
        required: ['product'],
      },
      execute: ({ product, quantity }) => cart.add(product, quantity),
    });
    platform.registerTool({
      name: 'get_cart',
      title: 'Look into the cart',
      description: 'Returns what is in the cart of the visitor.',
      annotations: { readOnlyHint: true },
      execute: () => cart.content(),
    });
    platform.setContext(() => [{ description: 'The cart of the visitor', value: cart.content() }]);
  });

// Color, theme and corners. The chat follows the theme of the page by itself (data-theme-mode="page" of the tag).
const configure = (configuration) => withChat((platform) => platform.config({ configuration }));
on('[name="brand"]', 'change', ({ currentTarget: { value, dataset } }) => {
  document.documentElement.dataset.brand = value;
  configure({ color: dataset.color });
});
on('[name="theme"]', 'change', ({ currentTarget: { value } }) => {
  document.documentElement.dataset.theme = value;
});
on('#radius', 'input', ({ currentTarget: { value } }) => configure({ radius: Number(value) }));

// The languages of the chat, each with its own name.
const languages =
  'en ar bn cs da de el es fa fi fr he hi hu id it ja ko nb nl pl pt pt-PT ro ru sv th tr uk vi zh zh-Hant'.split(
    ' ',
  );
for (const code of find('#language') ? languages : []) {
  const option = new Option(new Intl.DisplayNames([code], { type: 'language' }).of(code), code);
  option.lang = code;
  find('#language').append(option);
}
on('#language', 'change', ({ currentTarget: { value } }) => configure({ locale: value }));

// Offline and back.
if (find('#offline')) {
  const setOnline = createConnection(window);
  on('#offline', 'change', ({ currentTarget: { checked } }) => setOnline(!checked));
}

// Figures: the costs of the chat, and its messages.
if (find('.figures')) {
  const figure = (name, text) => show(`[data-figure="${name}"]`, text);
  const script = find('script[src$="webchat.js"]').src;
  const tally = createTally();
  const drawTally = () => {
    for (const [name, count] of Object.entries(tally.read())) figure(name, count);
  };
  let bytes = 0;
  observe('resource', (entries) => {
    bytes += bytesOf(entries, script);
    figure('bytes', kilobytes(bytes));
  });
  let shift = 0;
  const measures = observe('layout-shift', (entries) => {
    shift += shiftOf(entries);
    figure('shift', Number(shift.toFixed(3)));
  });
  // Otherwise nobody has measured it.
  if (measures) figure('shift', 0);
  withChat((platform) => {
    measureOpening(platform, (milliseconds) => figure('opening', `${milliseconds} ms`));
    platform.use({
      beforeSend: () => {
        tally.send();
        drawTally();
      },
    });
    platform.on('message', ({ id, isBot, metadata }) => {
      // Without this mark it is from a person who has joined.
      if (!isBot && metadata?.clientMessageId) tally.confirm(id);
      drawTally();
    });
    platform.on('error', ({ code }) => {
      if (['rejected', 'forbidden', 'not_found'].includes(code)) tally.refuse();
      drawTally();
    });
  });
}

// The tag, to copy it with the address of this server.
if (find('#tag')) {
  const tag = `<script src="${new URL('chat/demo/webchat.js', location)}" async></${'script'}>`;
  show('#tag', tag);
  // Browsers have no clipboard on pages without HTTPS, except on this computer.
  find('#copy').hidden = !navigator.clipboard;
  on('#copy', 'click', async ({ currentTarget }) => {
    await navigator.clipboard.writeText(tag);
    currentTarget.textContent = 'Copied';
  });
}

// The inbox next to the page, where there is room for both.
on('#inbox', 'click', (event) => {
  if (screen.availWidth < 1000) return;
  event.preventDefault();
  const { href, target } = event.currentTarget;
  window.open(
    href,
    target,
    `popup,width=${Math.min(1000, screen.availWidth / 2)},height=${screen.availHeight}`,
  );
});

// The page without a chat until the visitor agrees (consent.html).
on('#agree', 'click', ({ currentTarget }) => {
  withChat(() => {});
  window.platform.init();
  currentTarget.disabled = true;
  currentTarget.textContent = 'The chat is on';
});
