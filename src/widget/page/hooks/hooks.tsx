// Runs the hooks of the page (`platform.use`). Loaded when the page has some: the code is put around the request that sends
// a message and around the store, so that the chat needs none for them.
import type { ComponentChild } from 'preact';
import { platformError } from '../../../protocol/error.ts';
import type { Message, Payload } from '../../../protocol/message.ts';
import type { Hooks, ShownMessage } from '../../../protocol/page-api/page-api.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { changeOutgoing } from './before-send.ts';
import { drawBlock } from './blocks.tsx';
import { PageNode } from './PageNode.tsx';
import { describeBlock } from './page-blocks.ts';
import { hookError, payloadOf } from './page-callback.ts';

const names = ['beforeSend', 'afterReceive', 'renderMessage'];
/** Additions of the page that have methods of their own. */
const otherNames = ['tool', 'context', 'block'];

const installed = new WeakSet<SessionInternals>();
/** Hooks whose failure was reported: one that fails for each message is reported once. */
const reported = new WeakSet<Hooks>();

/** Puts the hooks around a session. Can be called repeatedly. */
export function installHooks(internals: SessionInternals): void {
  for (const hooks of internals.widget.hooks) checkNames(internals, hooks);
  if (installed.has(internals)) return;
  installed.add(internals);
  const { widget, store } = internals;
  widget.blocks = {
    draw: (part, fallback) => drawBlock(widget, part, fallback),
    describe: (part) => describeBlock(widget, part),
  };
  changeOutgoing(internals);
  changeIncoming(internals);
  // Answers that are shown are drawn again.
  store.setConfiguration({ ...store.state.configuration });
}

/** The content that a hook of this row shows instead of its payload; undefined for the payload itself. */
export function renderMessage(widget: Widget, row: Row): ComponentChild {
  if (!widget.hooks.size || row.status === 'streaming') return undefined;
  const node = nodeOf(widget, row);
  return node && <PageNode key={row.key} name={`message-${row.key}`} node={node} widget={widget} />;
}

/** The nodes of the page by payload, which a row keeps until its message changes, with the hooks that were asked. */
const nodes = new WeakMap<Payload, { hooks: Hooks[]; node: Node | undefined }>();

function nodeOf(widget: Widget, row: Row): Node | undefined {
  const hooks = [...widget.hooks];
  const cached = nodes.get(row.payload);
  if (cached && cached.hooks.length === hooks.length && hooks.every((hook) => cached.hooks.includes(hook)))
    return cached.node;
  let node: Node | undefined;
  for (const hook of hooks) {
    node ??= attempt(widget, hook, () => {
      const result = hook.renderMessage?.(copyOf(row.id ?? row.key, row.side === 'bot', row));
      if (result && !(result instanceof Node)) throw new TypeError('It must return a node.');
      if (!(result instanceof DocumentFragment)) return result ?? undefined;
      // A fragment loses its nodes when it is inserted, and could not be inserted again.
      const box = document.createElement('div');
      box.appendChild(result);
      return box;
    });
  }
  nodes.set(row.payload, { hooks, node });
  return node;
}

function changeIncoming({ widget, store }: SessionInternals): void {
  const { receive } = store;
  store.receive = (messages, sideOf) => {
    const originals = new Map<string, Message>();
    const shown = messages.flatMap((message) => {
      const isBot = sideOf(message) === 'bot';
      let payload: Payload | null = message.payload;
      for (const hook of widget.hooks) {
        if (!payload) break;
        const before: Payload = payload;
        payload = attempt(
          widget,
          hook,
          (): Payload | null => {
            const result = hook.afterReceive?.(copyOf(message.id, isBot, { ...message, payload: before }));
            // A message of the visitor stays: without its row it would seem not to be stored.
            if (result === null) return isBot ? null : before;
            return result ? payloadOf(result) : before;
          },
          before,
        );
      }
      originals.set(message.id, message);
      return payload ? [{ ...message, payload }] : [];
    });
    // The page's events have what the server has.
    return receive(shown, sideOf).map((message) => originals.get(message.id) ?? message);
  };
}

/** Runs a synchronous hook. If it throws, it is reported once, and the result is `otherwise`. */
function attempt<T>(widget: Widget, hook: Hooks, run: () => T, otherwise?: T): T {
  try {
    return run();
  } catch (error) {
    if (!reported.has(hook)) widget.emit('error', hookError('afterReceive or renderMessage', error));
    reported.add(hook);
    return otherwise as T;
  }
}

/** A copy, so that a hook cannot change what the chat has. */
function copyOf(
  id: string,
  isBot: boolean,
  { payload, createdAt }: { payload: Payload; createdAt: string },
): ShownMessage {
  return { id, isBot, payload: structuredClone(payload), createdAt };
}

/** Names of hooks that were reported. */
const unknown = new Set<string>();

function checkNames({ widget }: SessionInternals, hooks: Hooks): void {
  // The page's object is the prototype of ours (page-api.ts).
  for (const name of Object.keys(Object.getPrototypeOf(hooks) ?? {})) {
    if (names.includes(name) || otherNames.includes(name) || unknown.has(name)) continue;
    unknown.add(name);
    const message = `use(): there is no hook '${name}', only ${names.join(', ')}.`;
    console.warn(`[platform] ${message}`);
    widget.emit('error', platformError('invalid_argument', message));
  }
}
