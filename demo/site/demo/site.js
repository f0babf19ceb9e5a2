// The script of a third-party page that calls the chat. Calls are queued, so they work before the chat's script has loaded.
function withChat(callback) {
  window.platform = window.platform || [];
  window.platform.push(callback);
}

// Draws the orders that the bot shows. The data comes from the bot, so it is shown as text and never as HTML.
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

document.getElementById('ask')?.addEventListener('click', () => withChat((platform) => platform.open()));

document.getElementById('book')?.addEventListener('click', () =>
  withChat((platform) => {
    const stop = platform.on('webchat:ready', () => {
      stop();
      platform.sendMessage('I would like to book a repair.');
    });
    platform.open();
  }),
);

document.getElementById('agree')?.addEventListener('click', (event) => {
  withChat(() => {});
  window.platform.init();
  event.currentTarget.disabled = true;
  event.currentTarget.textContent = 'The chat is on';
});
