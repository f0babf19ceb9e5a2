// Announces messages to screen readers: short-lived nodes in a live region outside of the transcript are read once.
import { preview } from '../../protocol/message.ts';
import type { Widget } from '../launcher-chat-interface.ts';
import { extras, pageUser, parts } from './bundles.ts';
import { isNamePending } from './components/answerer.ts';
import { isPlain } from './payloads/descriptors.ts';
import { toDrawable } from './payloads/drawable.ts';
import type { Row, Store } from './store/store.ts';
import { strings } from './strings.ts';

export interface Announcer {
  announce(text: string): void;
  /** Announces the bot's messages of the store in their order. To be called in an effect. */
  announceMessages(store: Store): void;
}

/** Milliseconds until a node is removed: it must be read, but not be found again by navigation. */
const lifetimeMs = 3_000;

/** Adds a live region to the window. */
export function createAnnouncer(widget: Widget): Announcer {
  const { box, signal } = widget;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const region = document.createElement('div');
  region.className = 'live';
  region.setAttribute('aria-live', 'polite');
  box.appendChild(region);
  signal.addEventListener('abort', () => timers.forEach(clearTimeout));
  let last: Row | undefined;
  /** Rows whose text needs the extras bundle, and the rows after them. */
  const waiting: Row[] = [];

  const announce = (text: string) => {
    const node = document.createElement('p');
    node.textContent = toDrawable(text);
    region.appendChild(node);
    const timer = setTimeout(() => {
      timers.delete(timer);
      node.remove();
    }, lifetimeMs);
    timers.add(timer);
  };
  return {
    announce,
    announceMessages(store) {
      const { announced, configuration } = store.state;
      if (announced && announced !== last) waiting.push(announced);
      last = announced;
      // Another conversation: the names of this one are no longer loaded.
      if (!announced) waiting.length = 0;
      while (waiting[0]) {
        const text = textOf(waiting[0], widget);
        if (!text || isNamePending(waiting[0], store)) break;
        const name = store.personOf(waiting[0])?.name ?? configuration.botName;
        announce(waiting[0].side === 'activity' ? text : `${name}: ${text}`);
        waiting.shift();
      }
    },
  };
}

/** The announcement of a message; undefined while the bundle that makes it is loading. */
function textOf(row: Row, widget: Widget): string | undefined {
  const { error, payload, status } = row;
  if (error === 'bot_failed') return strings.noAnswer;
  const { module } = extras;
  if (!isPlain(payload) && module === undefined) return void extras.request();
  if (row.parts && !parts.module) {
    // A new answer tries again after a failure.
    const isNew = parts.module === undefined;
    parts.load();
    if (isNew) return undefined;
  }
  // The texts of the page for its blocks, unless its hooks cannot be loaded.
  if (row.parts && widget.hooks.size > 0 && !widget.blocks && pageUser.module !== null) return undefined;
  // Without the marks and addresses of Markdown and media.
  const said = (!isPlain(payload) && module?.toSpeech(payload)) || preview(payload) || strings.unsupported;
  const text = (row.parts && parts.module?.toSpeech(row, said, widget)) || said;
  return status === 'aborted' ? `${text}: ${strings.stopped}` : text;
}
