// Buttons that ask something: `data-ask` is what the visitor says. The chat opens, and sends it when it is ready.
const key = 'northwind-person';

/**
 * Returns a function that asks a question in the chat. `withChat` runs a function with it; `say` shows a line on the page;
 * `storage` remembers for the next page view that a person was asked for.
 */
export function createQuestions({ withChat, say, storage }) {
  // While a person is asked for, the bot cannot answer: it tells the page (demo/shop.ts).
  let isWithPerson = read();
  function read() {
    try {
      return storage?.getItem(key) === 'yes';
    } catch {
      return false;
    }
  }
  function setWithPerson(value) {
    isWithPerson = value;
    try {
      storage?.setItem(key, value ? 'yes' : 'no');
    } catch {
      // Forbidden: this page view knows it.
    }
  }
  withChat((platform) => {
    platform.on('customEvent', ({ type, by }) => {
      if (type === 'answered_by') setWithPerson(by === 'person');
    });
    // A new one begins with the bot.
    platform.on('conversation', () => setWithPerson(false));
  });

  /** Questions that are on their way: a second press opens the chat only. */
  const underWay = new Set();
  return (text) =>
    withChat((platform) => {
      platform.open();
      if (underWay.has(text)) return;
      underWay.add(text);
      // Also called if the chat has been ready for long, but never at once.
      const stop = platform.on('webchat:ready', () => {
        stop();
        if (isWithPerson) {
          say(
            'You asked for a person, so the bot is silent. “Back to the assistant” in the chat brings it back.',
          );
          underWay.delete(text);
          return;
        }
        const end = () => underWay.delete(text);
        // While the page is offline the promise waits with the message.
        platform.sendMessage(text).then(end, end);
      });
    });
}
