// Says things to screen readers: short-lived nodes in a live region apart from the transcript, so each is read once.

/** Milliseconds a node stays: long enough to be read, short enough not to be found again. */
const lifetimeMs = 3_000;

/** Puts a live region into `box` and gives the function that says a sentence there. */
export function createAnnouncer(box: HTMLElement, signal: AbortSignal): (text: string) => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const region = document.createElement('div');
  region.className = 'live';
  region.setAttribute('aria-live', 'polite');
  box.append(region);
  signal.addEventListener('abort', () => timers.forEach(clearTimeout));
  return (text) => {
    const node = document.createElement('p');
    node.textContent = text;
    region.append(node);
    const timer = setTimeout(() => {
      timers.delete(timer);
      node.remove();
    }, lifetimeMs);
    timers.add(timer);
  };
}
