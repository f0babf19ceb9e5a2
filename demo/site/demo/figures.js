// The figures that the page measures about its chat, with what browsers offer: Resource Timing, Layout Instability, times of
// events, and the events of the chat.

/** Counts the messages of the visitor: those that the server has confirmed, those that still wait, and those that it has refused. */
export function createTally() {
  const confirmed = new Set();
  const seen = new Set();
  const waiting = [];
  let lost = 0;
  return {
    /** `id`: of the browser, until the server has given another one. Once for each message, however often it is drawn. */
    send(id, text) {
      if (seen.has(id)) return;
      seen.add(id);
      waiting.push(text);
    },
    /**
     * Once for each message, also if its confirmation comes again. Messages go out in order, so the visitor has discarded those
     * that wait before it. A message of another tab has not waited here.
     */
    confirm(id, text) {
      if (confirmed.has(id)) return;
      confirmed.add(id);
      waiting.splice(0, waiting.indexOf(text) + 1);
    },
    refuse() {
      waiting.shift();
      lost += 1;
    },
    read: () => ({
      sent: confirmed.size + waiting.length + lost,
      confirmed: confirmed.size,
      waiting: waiting.length,
      lost,
    }),
  };
}

/** The bytes of the requests of the chat, whose script is at `address`: its code, its API and its fonts. */
export function bytesOf(entries, address) {
  const chat = new URL('.', address).pathname;
  const code = new URL('../../webchat/', address).pathname;
  let bytes = 0;
  for (const { name, transferSize = 0 } of entries) {
    const { pathname } = new URL(name);
    if (pathname.startsWith(chat) || pathname.startsWith(code)) bytes += transferSize;
  }
  return bytes;
}

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * The layout shift of elements of the page. Messages that move in the window of the chat, which is fixed above the page, are entries
 * too, more than half a second after a click (a slow phone: up to 0.2). They have no node, because they are in a shadow root.
 */
export function shiftOf(entries) {
  let shift = 0;
  for (const { value, hadRecentInput, sources } of entries)
    if (!hadRecentInput && sources.some(({ node }) => node)) shift += value;
  return shift;
}

/** Calls `onEntries` with the entries of a kind, also with those from before. Returns false if the browser has no such entries. */
export function observe(type, onEntries) {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)) return false;
  new PerformanceObserver((list) => onEntries(list.getEntries())).observe({ type, buffered: true });
  return true;
}

/** Measures from a click to the first frame with the open window, as the User Timing measure `chat: click to window`. */
export function measureOpening(platform, onMeasured) {
  let clickedAt;
  // Of the launcher too, which is in a shadow root: its clicks pass the document, as clicks on its host.
  const opens = '[data-ask], [data-platform-open], platform-webchat';
  const onClick = ({ target, timeStamp }) => {
    clickedAt = target.closest(opens) ? timeStamp : undefined;
  };
  document.addEventListener('click', onClick, { capture: true });
  // A click in the window is not the cause when the bot opens it later.
  platform.on('webchat:closed', () => (clickedAt = undefined));
  platform.on('webchat:opened', () => {
    const start = clickedAt;
    clickedAt = undefined;
    if (start === undefined) return;
    // The next frame draws the window; the one after it begins when it is drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const { duration } = performance.measure('chat: click to window', { start });
        onMeasured(Math.round(duration));
      }),
    );
  });
}
