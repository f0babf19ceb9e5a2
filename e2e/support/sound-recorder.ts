// Records the notes that a page plays, as events named `note`. A notification sound has two.
import type { BrowserContext, Page } from '@playwright/test';

/** Source of the notes of the page, and the time of the last one by its clock, in seconds. */
export interface NotePlayer {
  audio: BaseAudioContext;
  lastNoteAt: number;
}

/** Call it before the page is loaded. The player is in `window` as soon as there was a note. */
export function recordNotes(target: Page | BrowserContext): Promise<unknown> {
  return target.addInitScript(() => {
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...input) {
      window.seen?.events.push({ type: 'note', payload: undefined });
      const player: NotePlayer = { audio: this.context, lastNoteAt: this.context.currentTime };
      Object.assign(window, player);
      return start.apply(this, input);
    };
  });
}
