// The proactive message: a short text next to the launcher of a closed chat, for visitors who have neither opened it nor
// dismissed the message. Plain DOM, so that it does not need the chat bundle.

import { hostPageFields } from '../../protocol/config.ts';
import { hostPage as english } from '../i18n/en/host-page.ts';
import type { Widget } from '../launcher-chat-interface.ts';

/** The greeting of each chat that is shown or scheduled, and the text and the time that it has. */
const greetings = new WeakMap<Widget, { controller: AbortController; content: string }>();

/** Shows the proactive message of the present configuration. Called again after each change. */
export function greet(widget: Widget): void {
  const { proactiveMessage: text, proactiveDelay } = widget.resolve(hostPageFields);
  const { conversationId, isGreeted } = widget.storage.read();
  const shouldGreet = text && !widget.wasOpened && !conversationId && !isGreeted;
  const next = shouldGreet ? JSON.stringify([text, proactiveDelay, widget.language.locale]) : '';
  const present = greetings.get(widget);
  // A shown or scheduled greeting is not restarted by a change of another field.
  if (present?.content === next && !present.controller.signal.aborted) return;
  present?.controller.abort();
  if (!shouldGreet) return;
  const controller = new AbortController();
  greetings.set(widget, { controller, content: next });
  const { signal } = controller;
  const end = () => controller.abort();
  widget.signal.addEventListener('abort', end, { signal });
  signal.addEventListener('abort', widget.on('webchat:opened', end));
  const timer = setTimeout(() => show(widget, text, signal, end), proactiveDelay * 1000);
  signal.addEventListener('abort', () => clearTimeout(timer));
}

function show(widget: Widget, text: string, signal: AbortSignal, end: () => void): void {
  const { box, storage } = widget;
  const bubble = document.createElement('div');
  bubble.className = 'greeting';
  bubble.part.add('greeting');
  // A live region: text that is added to it is read aloud without moving the focus.
  bubble.setAttribute('role', 'status');
  box.appendChild(bubble);
  signal.addEventListener('abort', () => bubble.remove());

  const message = button('greeting-text', text);
  message.dir = 'auto';
  message.addEventListener('click', () => widget.open());
  const strings = widget.language.translate?.(english) ?? english;
  const dismiss = button('greeting-close', '×');
  dismiss.setAttribute('aria-label', strings.dismiss);
  dismiss.addEventListener('click', () => {
    storage.write({ isGreeted: true });
    end();
    // The button is removed; the focus must not move to the page.
    box.querySelector<HTMLElement>('.launcher')?.focus();
  });
  requestAnimationFrame(() => {
    bubble.appendChild(message);
    bubble.appendChild(dismiss);
  });
}

function button(name: string, text: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  made.textContent = text;
  return made;
}
