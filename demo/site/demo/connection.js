// A switch that takes a page offline, to show what its chat does then. Call it before the chat is opened: the chat uses the
// `fetch` that it finds. No service worker, and nothing of the chat is touched: its requests fail, and its open stream is cut.

/** `page` is the window. Returns a function that turns the connection of the page on and off. */
export function createConnection(page) {
  const fetch = page.fetch.bind(page);
  let cable = new AbortController();

  page.fetch = async (address, { signal, ...init } = {}) => {
    const signals = signal ? [signal, cable.signal] : [cable.signal];
    return fetch(address, { ...init, signal: AbortSignal.any(signals) });
  };
  // As the browser itself reports it.
  Object.defineProperty(page.navigator, 'onLine', { configurable: true, get: () => !cable.signal.aborted });

  return (isOnline) => {
    if (isOnline) cable = new AbortController();
    // The error of `fetch` without a connection.
    else cable.abort(new TypeError('Failed to fetch'));
    page.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  };
}
