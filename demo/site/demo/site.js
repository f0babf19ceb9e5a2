// The script of a third-party page that uses the chat: buttons that ask something, tools that fill the cart, colors and language.
import { createCart, summaryOf } from './cart.js';
import { createConnection } from './connection.js';
import { bytesOf, createTally, kilobytes, measureOpening, observe, shiftOf } from './figures.js';
import { createQuestions } from './questions.js';
import { tagOf } from './tag.js';

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

/** The storage of the browser; undefined if the visitor has forbidden it. */
const storage = (() => {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
})();

// A line at the edge of the page, for a while.
let toast;
function say(text) {
  show('.toast', text);
  clearTimeout(toast);
  toast = setTimeout(() => show('.toast', ''), 8_000);
}

const ask = createQuestions({ withChat, say, storage });
// The second click of a double click is the same question.
on('[data-ask]', 'click', ({ currentTarget, detail }) => {
  if (detail < 2) ask(currentTarget.dataset.ask);
});

// Until the script of the chat has run, `platform` is the queue of withChat.
const isLoaded = () => window.platform && !Array.isArray(window.platform);
on('[data-ask], [data-platform-open]', 'click', () => {
  if (isLoaded()) return;
  const sayIt = () => say('The chat is not here yet: the connection or a content blocker holds it back.');
  setTimeout(() => isLoaded() || sayIt(), 3_000);
});

// The place that the window takes on a wide page.
withChat((platform) => {
  platform.on('webchat:opened', () => (document.documentElement.dataset.chat = 'open'));
  platform.on('webchat:closed', () => delete document.documentElement.dataset.chat);
});

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
const changed = (message) => {
  drawCart();
  say(message);
};
const cart = createCart(products, changed, storage);
// Another tab has changed it.
window.addEventListener('storage', ({ key }) => {
  if (key !== cart.key && key !== null) return;
  cart.read();
  drawCart();
});
on('[data-add]', 'click', ({ currentTarget }) =>
  cart.add(currentTarget.closest('[data-product]').dataset.product),
);
function drawCart() {
  const content = cart.content();
  show('[data-cart="items"]', content.items);
  show('[data-cart="summary"]', summaryOf(content));
  const rows = content.products.map(({ id, name, price, quantity }) => {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.className = 'plain small';
    button.textContent = 'Remove';
    button.setAttribute('aria-label', `Remove ${name}`);
    button.addEventListener('click', () => cart.remove(id));
    row.append(`${quantity} × ${name}, CHF ${quantity * price}`, button);
    return row;
  });
  find('[data-cart="list"]').replaceChildren(...rows);
}
if (products.length > 0) {
  drawCart();
  withChat((platform) => {
    platform.registerTool({
      name: 'add_to_cart',
      title: 'Add to the cart',
      description: 'Adds a product to the cart of the visitor. Returns what is in the cart.',
      inputSchema: {
        type: 'object',
        properties: { product: { enum: products.map(({ name }) => name) }, quantity: { type: 'integer' } },
        required: ['product'],
      },
      execute: ({ product, quantity }) => cart.add(product, quantity),
    });
    platform.registerTool({
      name: 'remove_from_cart',
      title: 'Remove from the cart',
      description:
        'Removes a product from the cart of the visitor, or all products. Returns what is in the cart.',
      inputSchema: { type: 'object', properties: { product: { enum: products.map(({ name }) => name) } } },
      execute: ({ product }) => cart.remove(product),
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
}

// Color, theme and corners. The chat follows the theme of the page by itself (data-theme-mode="page" of the tag).
// The tag to copy shows the same look.
const script = find('script[src$="webchat.js"]');
const look = { 'data-bot-name': script?.dataset.botName, 'data-color': script?.dataset.color };
const drawTag = (change) => show('#tag', tagOf(script?.src, Object.assign(look, change)));
drawTag();
const configure = (configuration) => withChat((platform) => platform.config({ configuration }));
on('[name="brand"]', 'change', ({ currentTarget: { value, dataset } }) => {
  document.documentElement.dataset.brand = value;
  configure({ color: dataset.color });
  drawTag({ 'data-color': dataset.color });
});
on('[name="theme"]', 'change', ({ currentTarget: { value } }) => {
  document.documentElement.dataset.theme = value;
  drawTag({ 'data-theme-mode': value });
});
on('#radius', 'input', ({ currentTarget: { value } }) => {
  configure({ radius: Number(value) });
  drawTag({ 'data-radius': value });
});

on('#language', 'change', ({ currentTarget: { value } }) => {
  configure({ locale: value });
  drawTag({ 'data-locale': value });
});

// Offline and back. A chat that was never open has no conversation yet, and an empty window says little: it opens first.
if (find('#offline')) {
  const setOnline = createConnection(window);
  on('#offline', 'change', ({ currentTarget }) =>
    withChat((platform) => {
      if (!currentTarget.checked) return setOnline(true);
      platform.open();
      const stop = platform.on('webchat:ready', () => {
        stop();
        if (currentTarget.checked) setOnline(false);
      });
    }),
  );
}

// Figures: the costs of the chat, and its messages.
if (find('.figures')) {
  const figure = (name, text) => show(`[data-figure="${name}"]`, text);
  const tally = createTally();
  const drawTally = () => {
    for (const [name, count] of Object.entries(tally.read())) figure(name, count);
  };
  let bytes = 0;
  observe('resource', (entries) => {
    bytes += bytesOf(entries, script.src);
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
      // Draws nothing. A message that waits is shown at once, with an id of the browser.
      renderMessage: ({ id, isBot, payload }) => {
        if (isBot || id.startsWith('msg_')) return;
        tally.send(id, payload.text ?? payload.type);
        drawTally();
      },
    });
    platform.on('message', ({ id, isBot, payload, metadata }) => {
      // Without this mark it is from a person who has joined.
      if (!isBot && metadata?.clientMessageId) tally.confirm(id, payload.text ?? payload.type);
      drawTally();
    });
    platform.on('error', ({ code }) => {
      if (['rejected', 'forbidden', 'not_found'].includes(code)) tally.refuse();
      drawTally();
    });
  });
}

// Browsers have no clipboard on pages without HTTPS, except on this computer.
if (find('#copy')) {
  find('#copy').hidden = !navigator.clipboard;
  on('#copy', 'click', async ({ currentTarget }) => {
    // The visitor can refuse it.
    const isCopied = await navigator.clipboard.writeText(find('#tag').textContent).then(
      () => true,
      () => false,
    );
    currentTarget.textContent = isCopied ? 'Copied' : 'Select the text and copy it';
    setTimeout(() => (currentTarget.textContent = 'Copy the tag'), 3_000);
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
