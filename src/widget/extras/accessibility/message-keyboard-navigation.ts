// Moves between messages by arrow keys, Home and End. The focused message is read as one; Tab moves to its controls.
// Keys inside a control of a message are ignored.

/** The parts of a row that name it when it has the focus: author and text, options, time and status. */
const read = '.bubble, .option:not(.primary), .meta';
/** The part of the viewport by which one step scrolls in a message that is taller. */
const step = 0.8;

/** Handles a key that was pressed in the viewport of the transcript. */
export function navigateMessages(event: KeyboardEvent): void {
  const { key, target, currentTarget } = event;
  const viewport = currentTarget as HTMLElement;
  const from = target as HTMLElement;
  const isShown = from === viewport || from.matches('.row');
  if (!isShown || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const rows = [...viewport.querySelectorAll<HTMLElement>('.row[data-status]')];
  const view = viewport.getBoundingClientRect();
  const at = rows.indexOf(from);
  const isUp = key === 'ArrowUp';
  let next: HTMLElement | undefined;
  if (isUp || key === 'ArrowDown') {
    const { top, bottom } = from.getBoundingClientRect();
    // The header covers the top of the viewport.
    const edge = view.top + Number.parseFloat(getComputedStyle(viewport).paddingTop);
    const hidden = isUp ? edge - top : bottom - view.bottom;
    if (at >= 0 && hidden > 1) {
      event.preventDefault();
      const pixels = Math.min(hidden + 8, (view.bottom - edge) * step);
      viewport.scrollBy(0, isUp ? -pixels : pixels);
      return;
    }
    // From the viewport: the last visible message.
    next =
      at < 0
        ? rows.findLast((row) => row.getBoundingClientRect().top < view.bottom)
        : rows[at + (isUp ? -1 : 1)];
    // There is no further message: the browser scrolls.
    if (!next) return;
  } else if (key === 'Home' || key === 'End') {
    next = rows.at(key === 'Home' ? 0 : -1);
    viewport.scrollTop = key === 'Home' ? 0 : viewport.scrollHeight;
  }
  if (!next) return;
  event.preventDefault();
  focusMessage(next);
}

/** Moves the focus to a message, and names it by its content as long as it has the focus. */
function focusMessage(row: HTMLElement): void {
  const parts = [...row.querySelectorAll(read)];
  row.addEventListener(
    'blur',
    () => {
      row.removeAttribute('tabindex');
      row.removeAttribute('aria-labelledby');
      for (const part of parts) part.removeAttribute('id');
    },
    { once: true },
  );
  parts.forEach((part, index) => {
    part.id = `platform-read-${index}`;
  });
  row.setAttribute('aria-labelledby', parts.map(({ id }) => id).join(' '));
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}
