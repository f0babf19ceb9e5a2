// The proactive message: a short text next to the launcher of a closed chat, after a delay for visitors who have neither
// opened it nor dismissed the message, or by rules (rules.ts). Plain DOM, so that it does not need the chat bundle.
import en from '../../../locales/en.json' with { type: 'json' };
import { hostPageFields } from '../../../protocol/page-api/host-page-fields.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { createRuleMemory } from './rule-memory.ts';
import { type Rules, watchRules } from './rules.ts';

interface Greeting {
  controller: AbortController;
  /** The configured values: the greeting is not restarted by a change of another field. */
  content: string;
  /** The rules by which it is shown, if there are any. */
  rules?: Rules;
}

/** The greeting of each chat that is shown or scheduled. */
const greetings = new WeakMap<Widget, Greeting>();

/** Shows the proactive messages of the present configuration. Called again after each change. */
export function greet(widget: Widget): void {
  const { proactive, proactiveMessage: text, proactiveDelay } = widget.resolve(hostPageFields);
  const { conversationId, isGreeted } = widget.storage.read();
  const hasRules = !!proactive?.length;
  const shouldGreet = !widget.wasOpened && (hasRules || (text && !conversationId && !isGreeted));
  if (hasRules) forgetTogether(widget);
  const content = shouldGreet ? JSON.stringify([proactive, text, proactiveDelay]) : '';
  const present = greetings.get(widget);
  if (present?.content === content && !present.controller.signal.aborted) {
    present.rules?.check();
    // The language may have arrived.
    widget.box.querySelector('.greeting-close')?.setAttribute('aria-label', dismissLabel(widget));
    return;
  }
  present?.controller.abort();
  if (!shouldGreet) return;
  const controller = new AbortController();
  const greeting: Greeting = { controller, content };
  greetings.set(widget, greeting);
  const { signal } = controller;
  const end = () => controller.abort();
  widget.signal.addEventListener('abort', end, { signal });
  signal.addEventListener('abort', widget.on('webchat:opened', end));
  const showText = (message: string, onDismiss: () => void) =>
    show(widget, message, signal, () => {
      onDismiss();
      end();
    });
  if (hasRules) {
    greeting.rules = watchRules(widget, createRuleMemory(widget), proactive, signal, showText);
  } else if (text) {
    const dismissed = () => widget.storage.write({ isGreeted: true });
    const timer = setTimeout(() => showText(text, dismissed), proactiveDelay * 1000);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
}

/** The chats whose record is removed together with that of the rules. */
const forgetting = new WeakSet<Widget>();

function forgetTogether(widget: Widget): void {
  const { storage } = widget;
  if (forgetting.has(widget)) return;
  forgetting.add(widget);
  const { clear } = storage;
  storage.clear = () => {
    clear();
    createRuleMemory(widget).clear();
  };
}

function show(widget: Widget, text: string, signal: AbortSignal, onDismiss: () => void): void {
  const { box } = widget;
  const bubble = document.createElement('div');
  bubble.className = 'greeting';
  bubble.part.add('greeting');
  // A live region: text that is added to it is read aloud without moving the focus.
  bubble.setAttribute('role', 'status');
  box.appendChild(bubble);
  signal.addEventListener('abort', () => bubble.remove());

  const message = button('greeting-text', text);
  message.dir = 'auto';
  message.addEventListener('click', () => {
    widget.opensConversation = true;
    widget.open();
  });
  const dismiss = button('greeting-close', '×');
  dismiss.addEventListener('click', () => {
    onDismiss();
    // The button is removed; the focus must not move to the page.
    box.querySelector<HTMLElement>('.launcher')?.focus();
  });
  requestAnimationFrame(() => {
    // Now: from here on greet() finds the button when the language arrives.
    dismiss.setAttribute('aria-label', dismissLabel(widget));
    bubble.appendChild(message);
    bubble.appendChild(dismiss);
  });
}

function dismissLabel({ language }: Widget): string {
  const strings = language.translate?.(en.widget.hostPage) ?? en.widget.hostPage;
  return strings.dismiss;
}

function button(name: string, text: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  made.textContent = text;
  return made;
}
