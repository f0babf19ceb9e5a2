// The arrow keys in the composer bring back the texts that the visitor has sent, and the draft after them.
import type { Session } from '../chat/session/session-interface.ts';
import type { Row, Store } from '../chat/store/store.ts';

interface Browsing {
  /** How many texts back; 0 is the draft. */
  steps: number;
  /** The text to return to. */
  draft: string;
  /** The text that was brought back. A changed one is a new draft. */
  shown: string;
}

const browsing = new WeakMap<EventTarget, Browsing>();

/** Handles an arrow key of the text box. It moves the caret as usual, unless the caret is in the first or last line. */
export function browseInputHistory(
  event: KeyboardEvent,
  box: HTMLTextAreaElement | null,
  store: Store,
  session: Session,
): void {
  if (!box) return;
  const { selectionStart: caret, selectionEnd, value } = box;
  if (caret !== selectionEnd || box.readOnly || event.isComposing || event.keyCode === 229) return;
  if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  // Phase 0: this bundle had to be loaded first, and the key has moved the caret meanwhile. Not in an empty box.
  if (event.eventPhase === 0 && value) return;
  const isUp = event.key === 'ArrowUp';

  let state = browsing.get(box);
  if (state?.shown !== value) state = { steps: 0, draft: value, shown: value };
  const steps = state.steps + (isUp ? 1 : -1);
  const text = steps === 0 ? state.draft : sentTexts(store.state.outline).at(-steps);
  if (steps < 0 || text === undefined || !isAtEdge(box, isUp)) return;

  event.preventDefault();
  browsing.set(box, { ...state, steps, shown: text });
  box.value = text;
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // A text that is only looked at is not the draft after a reload.
  session.saveDraft(state.draft);
}

/** The texts that the visitor has written, oldest first. The same text twice in a row counts once. */
function sentTexts(rows: readonly Row[]): string[] {
  const texts: string[] = [];
  for (const { side, payload } of rows) {
    if (side !== 'visitor') continue;
    const items = payload.type === 'bloc' && Array.isArray(payload.items) ? payload.items : [payload];
    for (const item of items) {
      // The texts of buttons have a value: the visitor did not write them.
      const text = item?.type === 'text' && item.value === undefined && item.text;
      if (text && typeof text === 'string' && text !== texts.at(-1)) texts.push(text);
    }
  }
  return texts;
}

/** Whether the caret is in the first or last line as displayed. A text box does not tell where its lines wrap. */
function isAtEdge(box: HTMLTextAreaElement, isFirst: boolean): boolean {
  const { value, selectionStart, offsetWidth, scrollHeight, clientHeight } = box;
  const probe = box.cloneNode() as HTMLTextAreaElement;
  probe.placeholder = '';
  Object.assign(probe.style, {
    position: 'absolute',
    visibility: 'hidden',
    fieldSizing: 'fixed',
    width: `${offsetWidth}px`,
    height: '0',
    // A scroll bar takes room from the text.
    overflowY: scrollHeight > clientHeight ? 'scroll' : 'hidden',
  });
  box.after(probe);
  const heightOf = (text: string) => {
    probe.value = text;
    return probe.scrollHeight;
  };
  // The word of the caret is in one line.
  const [word = ''] = /^\S*/.exec(value.slice(selectionStart)) ?? [];
  const height = heightOf(value.slice(0, selectionStart + word.length));
  const edge = heightOf(isFirst ? '' : value);
  probe.remove();
  return height === edge;
}
