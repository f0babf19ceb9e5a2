// The only thing that waits: user, conversation, history, stream, sending. It calls the client and the store's
// actions, and after each wait asks whether the conversation is still its own. It draws nothing.
import { ChatCaller } from '../../client/caller.ts';
import type { Connection, ConnectionState } from '../../client/stream.ts';
import { clientMessageIdKey, isMessage, type Message, type Payload } from '../../protocol/message.ts';
import type { Signal, Signals } from '../../protocol/signal.ts';
import type { WebchatUser, WebchatUserFields } from '../../protocol/user.ts';
import type { Shell } from '../seam.ts';
import { isRefusal, toPlatformError } from './errors.ts';
import { createIdentity } from './identity.ts';
import { persist } from './patience.ts';
import type { Side, Store } from './store.ts';
import { createStreams } from './streams.ts';

export interface Session {
  /** Creates or resumes; harmless when done already. Resolves when messages can be received. */
  start(): Promise<void>;
  send(payload: Payload): Promise<void>;
  /** Tries a failed message again. */
  retry(key: string): void;
  /** Takes a failed message out of the transcript. */
  discard(key: string): void;
  sendEvent(event: Record<string, unknown>): Promise<void>;
  restart(): Promise<void>;
  loadOlder(): Promise<void>;
  getUser(): Promise<WebchatUser>;
  updateUser(fields: WebchatUserFields): Promise<void>;
  /** The visitor has the newest message before their eyes. */
  markRead(): void;
  saveDraft(text: string): void;
}

/** Milliseconds a cut may last before the visitor is told: most heal sooner. */
const graceMs = 5_000;
/** Milliseconds a typing indicator lives without a word on how long. */
const typingMs = 5_000;

/** The present conversation: what it has under way ends with `signal`. */
interface Room {
  id: string;
  /** Just created: nothing in it was ever shown, so its messages are news. */
  isNew: boolean;
  signal: AbortSignal;
  leave(): void;
}

export function createSession(shell: Shell, store: Store): Session {
  const { storage, emit } = shell;
  const client = new ChatCaller({ chatUrl: shell.chatUrl });
  const identity = createIdentity(shell, client, newId);
  const streams = createStreams();
  let webchat = shell.webchat;
  let room: Room | undefined;
  let starting: Promise<void> | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  let olderToken: string | undefined;
  /** Messages that came before the page was told that the chat is ready. */
  let early: (() => void)[] | undefined = [];
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;

  const report = (error: unknown) => {
    const platformError = toPlatformError(error);
    if (platformError.code !== 'destroyed' && !shell.signal.aborted) emit('error', platformError);
    return platformError;
  };
  const sideOf = ({ userId }: Message): Side => (userId === identity.userId ? 'visitor' : 'bot');

  /** Takes messages in. `isLive`: they have just happened, so page, badge and screen reader hear of them. */
  const accept = (messages: readonly Message[], isLive: boolean) => {
    for (const message of store.receive(messages.filter(isMessage), sideOf)) {
      if (!isLive) continue;
      const isOthers = sideOf(message) === 'bot';
      const tell = () => emit('message', { isBot: isOthers, ...message });
      if (early) early.push(tell);
      else tell();
      if (!isOthers) continue;
      setTyping(false);
      store.hear(message.id);
      if (shell.isOpen) markRead();
      else shell.onUnread(1);
    }
  };

  const markRead = () => {
    const newest = store.rows.value.filter((row) => row.id !== undefined).at(-1);
    if (newest && newest.createdAt !== storage.read().readAt) storage.write({ readAt: newest.createdAt });
  };

  const setTyping = (isTyping: boolean, timeout = typingMs) => {
    clearTimeout(typingTimer);
    store.setTyping(isTyping);
    if (isTyping) typingTimer = setTimeout(() => store.setTyping(false), timeout);
  };

  const onSignal: { [T in Signal['type']]?: (data: Signals[T]) => void } = {
    message_created: (message) => accept([message], true),
    message_deleted: ({ id }) => store.remove(id),
    event_created: ({ isBot, payload }) => isBot && emit('customEvent', payload),
    typing_started: ({ timeout }) => setTyping(true, timeout),
    typing_stopped: () => setTyping(false),
    message_stream_delta(delta) {
      const text = streams.add(delta);
      if (text === undefined) return;
      setTyping(false);
      store.setStream(delta.streamId, text, delta.createdAt);
    },
    message_stream_complete({ streamId, message }) {
      streams.end(streamId);
      accept([message], true);
    },
    message_stream_abort({ streamId }) {
      streams.end(streamId);
      store.setStatus(streamId, 'aborted');
    },
  };

  /** Lists from the newest message back to one that is known, so that nothing is missing in between. */
  const sync = async ({ id, isNew, signal }: Room) => {
    const known = new Set(store.rows.value.map((row) => row.id));
    const isFirst = store.history.value === 'unknown';
    const messages: Message[] = [];
    let token: string | undefined;
    let overlaps = false;
    do {
      const input = { conversationId: id, ...(token === undefined ? {} : { nextToken: token }) };
      const page = await client.listMessages(input, { signal });
      signal.throwIfAborted();
      messages.push(...page.messages);
      token = page.meta.nextToken;
      overlaps = page.messages.some((message) => known.has(message.id));
    } while (token && !isFirst && !overlaps);
    // Listed newest first, told in the order they were said.
    accept(messages.reverse(), isNew || !isFirst);
    if (!isFirst) return;
    olderToken = token;
    store.setHistory(token ? 'more' : 'complete');
    if (isNew) return;
    const { readAt = '' } = storage.read();
    const unread = messages.filter(
      (message) => sideOf(message) === 'bot' && message.createdAt > readAt,
    ).length;
    if (shell.isOpen) markRead();
    else if (unread > 0) shell.onUnread(unread);
  };

  const onState = (state: ConnectionState) => {
    if (state === 'open' || state === 'closed') {
      clearTimeout(graceTimer);
      graceTimer = undefined;
    } else if (store.connection.value === 'online') {
      graceTimer ??= setTimeout(() => store.setConnection('interrupted'), graceMs);
    }
  };

  /** Enters a conversation: opens its stream, loads its newest page. Resolves when both are there. */
  const enter = (id: string, isNew: boolean): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    let connection: Connection | undefined;
    const leave = () => {
      controller.abort(new DOMException('The conversation was left.', 'AbortError'));
      connection?.close();
      clearTimeout(graceTimer);
      graceTimer = undefined;
      setTyping(false);
    };
    const entered: Room = { id, isNew, signal, leave };
    room = entered;
    /** What the stream says while older messages are being listed: told after them. */
    let held: Signal[] | undefined;
    const tell = ({ type, data }: Signal) => {
      // The type comes from the wire and may be any word, `constructor` too.
      if (Object.hasOwn(onSignal, type)) (onSignal[type] as (data: unknown) => void)(data);
    };
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      connection = client.listen(id, {
        onState,
        onSignal: (heard) => void (held ? held.push(heard) : tell(heard)),
        onOpen({ resumed }) {
          streams.restart();
          store.abortStreams();
          const done = () => {
            const waiting = held ?? [];
            held = undefined;
            waiting.forEach(tell);
            store.setConnection('online');
            resolve();
          };
          // A listing still under way from the opening before ends as this one's.
          if (resumed && !held) return done();
          held ??= [];
          if (!resumed) persist(() => sync(entered), { signal }).then(done, onRefused);
        },
        onError: (error) => onRefused(error),
      });
      const onRefused = (error: unknown) => {
        if (signal.aborted) return;
        // Before leave(), whose abort would reject with its own reason.
        reject(error);
        leave();
        if (started) void heal(error);
      };
    });
  };

  let started = false;
  const finishStart = () => {
    started = true;
    shell.onStarted();
    const waiting = early ?? [];
    early = undefined;
    for (const tell of waiting) tell();
  };

  /** Finds or makes user and conversation, and enters it. A stored visit the server refuses is forgotten, once. */
  const begin = async (): Promise<void> => {
    const stored = storage.read();
    try {
      await identity.ensure();
      let { conversationId } = storage.read();
      const isNew = conversationId === undefined;
      if (conversationId === undefined) conversationId = await createConversation();
      await enter(conversationId, isNew);
    } catch (error) {
      if (!isRefusal(error) || !stored.userKey) throw error;
      identity.forget();
      store.reset();
      return begin();
    }
  };

  let conversationCreationId = newId();
  const createConversation = async (): Promise<string> => {
    const options = { signal: shell.signal, idempotencyKey: conversationCreationId };
    const { conversation } = await client.createConversation({}, options);
    conversationCreationId = newId();
    storage.write({ conversationId: conversation.id, readAt: undefined });
    emit('conversation', conversation.id);
    return conversation.id;
  };

  /** The server no longer lets us in (user or conversation deleted): start afresh. */
  const heal = async (error: unknown) => {
    report(error);
    starting = undefined;
    store.setConnection('connecting');
    await start().catch(() => {});
  };

  const start = (): Promise<void> => {
    if (starting) return starting;
    const mine = (async () => {
      learn();
      await persist(begin, { signal: shell.signal, onFailure: onStartFailure });
      finishStart();
    })().catch((error) => {
      const platformError = report(error);
      // Overtaken (another identity, destroyed): the state is no longer ours to change.
      if (starting === mine) {
        starting = undefined;
        store.setConnection('refused');
      }
      throw platformError;
    });
    starting = mine;
    return mine;
  };
  let toldUnreachable = false;
  const onStartFailure = (error: unknown) => {
    store.setConnection('unreachable');
    if (!toldUnreachable) report(error);
    toldUnreachable = true;
  };

  /** Asks once what the server can do; a plain Chat API server says 404, and all goes on without. */
  const learn = () => {
    if (webchat) return;
    client.getWebchat({ signal: shell.signal }).then(
      (answer) => {
        webchat = answer;
        if (answer) shell.onDashboard(answer.configuration);
      },
      () => {},
    );
  };

  const post = (key: string, payload: Payload): Promise<void> => {
    const work = sending.then(async () => {
      await start();
      const target = room;
      if (!target) return;
      const input = { conversationId: target.id, payload, metadata: { [clientMessageIdKey]: key } };
      const options = { signal: target.signal, idempotencyKey: key };
      // Only a server that knows the key again may be asked twice without asking the visitor.
      const attempts = webchat?.features.includes('idempotency') ? 3 : 1;
      const { message } = await persist(() => client.createMessage(input, options), {
        signal: target.signal,
        attempts,
      });
      if (!target.signal.aborted) accept([message], true);
    });
    sending = work.catch(() => {});
    return work.catch((error) => {
      // Its own signal may have come though the answer did not: then it is there.
      if (store.rows.value.some((row) => row.key === key && row.id)) return;
      store.setStatus(key, 'failed');
      throw report(error);
    });
  };

  const online = () => store.setOffline(!navigator.onLine);
  online();
  for (const type of ['online', 'offline']) addEventListener(type, online, { signal: shell.signal });
  shell.signal.addEventListener('abort', () => room?.leave());

  return {
    start,
    async send(payload) {
      const key = newId();
      store.addOutgoing(key, payload);
      await post(key, payload);
    },
    retry(key) {
      const row = store.rows.value.find((candidate) => candidate.key === key);
      if (row?.status !== 'failed') return;
      store.setStatus(key, 'sending');
      post(key, row.payload).catch(() => {});
    },
    discard: (key) => store.remove(key),
    async sendEvent(payload) {
      try {
        await start();
        if (!room) return;
        await client.createEvent(
          { conversationId: room.id, payload },
          { signal: room.signal, idempotencyKey: newId() },
        );
      } catch (error) {
        throw report(error);
      }
    },
    async restart() {
      try {
        await start();
        const left = room;
        const id = await createConversation();
        left?.leave();
        store.reset();
        await enter(id, true);
      } catch (error) {
        throw report(error);
      }
    },
    async loadOlder() {
      const target = room;
      if (!target || !olderToken || store.history.value !== 'more') return;
      store.setHistory('loading');
      const input = { conversationId: target.id, nextToken: olderToken };
      try {
        const page = await persist(() => client.listMessages(input, { signal: target.signal }), target);
        if (target.signal.aborted) return;
        accept(page.messages, false);
        olderToken = page.meta.nextToken;
        store.setHistory(olderToken ? 'more' : 'complete');
      } catch (error) {
        if (target.signal.aborted) return;
        store.setHistory('more');
        report(error);
      }
    },
    async getUser() {
      try {
        await persist(() => identity.ensure(), { signal: shell.signal, attempts: 3 });
        return await identity.get();
      } catch (error) {
        throw report(error);
      }
    },
    async updateUser(fields) {
      try {
        identity.remember(fields);
        const isSwitch = fields.userKey !== undefined && fields.userKey !== storage.read().userKey;
        const wasStarted = starting !== undefined;
        if (isSwitch) {
          starting = undefined;
          room?.leave();
          store.reset();
        }
        if (wasStarted) await start();
        else await identity.ensure();
        await identity.flush();
      } catch (error) {
        throw report(error);
      }
    },
    markRead,
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}

/** 128 random bits as hex. (crypto.randomUUID is missing on http pages.) */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
