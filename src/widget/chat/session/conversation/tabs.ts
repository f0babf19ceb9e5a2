// Shares one stream between the visitor's tabs, because HTTP/1.1 allows six connections for an origin: one tab leads,
// keeps the stream open and forwards its signals to the others. The tabs elect it by messages. A Web Lock would be
// shorter, but Firefox keeps no page that holds or requests one in its back/forward cache, and Chromium's background
// tabs and pages without TLS need the messages anyway. Two leaders for a moment are harmless: signals are numbered.
// Why not `broadcast-channel`: it mainly adds fallbacks for browsers that the widget does not support (decision 20).
import type { Signal } from '../../../../protocol/signal.ts';
import type { ConnectionStatus } from '../../store/store.ts';
import type { SessionInternals } from '../context.ts';
import { newId } from '../ids.ts';
import type { SessionScope } from '../session-scope.ts';
import type { ConversationConnection, Tabs } from './connection-interface.ts';

/** Milliseconds in which a new tab waits for the answer of a leader, before it opens a stream. */
const askMs = 100;
/** Milliseconds in which a leader must answer the other tabs; after that one of them leads. */
const leaderTimeoutMs = 1_000;
/** Milliseconds without a message of the leader after which the tab asks it to reply. */
const quietMs = 10_000;
/** Milliseconds within which one of the tabs succeeds a leader that has left: those that are visible are first. */
const successionMs = 200;

const isHidden = () => document.visibilityState === 'hidden';

/**
 * Follows the other tabs in the same conversation until `scope` or the attached connection ends. Returns undefined without
 * BroadcastChannel.
 */
export function joinTabs(internals: SessionInternals, id: string, scope: AbortSignal): Tabs | undefined {
  if (!window.BroadcastChannel) return undefined;
  const { widget, store, incoming } = internals;
  // Ids are compared. That of the older tab is smaller, so that its stream goes on if it has answered a new tab too late.
  const self = `${Date.now().toString(36)}-${newId()}`;
  /** The tabs that have sent a message. Without any, nothing is posted. */
  const others = new Set<string>();
  let channel: BroadcastChannel | undefined;
  let conversation: ConversationConnection | undefined;
  let leader: string | undefined;
  let term = 0;
  /** Another tab that has asked at the same time leads first. */
  let isYielding = false;
  let isAsking = false;
  /** Messages are listed when a leader sends its state next: it did not know this tab, or this tab's stream has ended. */
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => controller.abort();
  let settleAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    settleAsked = resolve;
  });

  const isLeader = () => leader === self;
  const post = (message: TabMessageBody) => channel?.postMessage({ from: self, term, ...message });
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  const leading = (): TabMessageBody => ({
    type: 'leading',
    connection: store.state.connection,
    position: conversation?.position,
    isHidden: isHidden(),
  });
  const announce = () => {
    // Read in any case, so that it is called at each change of the connection.
    const message = leading();
    if (isLeader() && others.size > 0) post(message);
  };
  const lead = () => {
    settleAsked();
    if (!conversation) return;
    clearTimeout(timer);
    isAsking = false;
    // Its stream may end before it was open, if a leader answers late. Then nothing else lists the messages.
    isStale = true;
    leader = self;
    term++;
    conversation.resume();
    post(leading());
  };
  const ask = (isAwake: boolean, ms = leaderTimeoutMs) => {
    isAsking = true;
    post({ type: 'hello', isAwake });
    after(ms, lead);
  };
  const follow = (from: string, theirTerm: number) => {
    // A new leader may not know this tab. Its reply contains the answers in progress: the streams of two leaders did
    // not end at the same delta.
    if (leader !== from) post({ type: 'hello', isAwake: false });
    leader = from;
    term = theirTerm;
    isAsking = false;
    settleAsked();
    conversation?.suspend();
    // Not all tabs at once: all tabs receive the reply to the first one.
    after(quietMs * (1 + 0.5 * Math.random()), () => ask(false));
  };

  const onHello = (from: string, isAwake: boolean) => {
    others.add(from);
    if (isLeader()) {
      if (isAwake) conversation?.wake();
      announce();
      for (const signal of incoming.streams.whole()) post({ type: 'signal', signal, id: '' });
    } else if (isAsking && from < self) {
      isYielding = true;
      if (conversation) after(leaderTimeoutMs, lead);
    }
  };
  const onLeader = (data: TabMessage) => {
    if (!conversation) return;
    if (data.type === 'leading') {
      // A hidden tab tries again once a minute, a visible one at once.
      if (data.connection === 'interrupted' && data.isHidden && !isHidden()) return lead();
      const [theirs, own] = [Number(data.position), Number(conversation.position)];
      if (isStale || theirs > own) conversation.resync();
      isStale = false;
      if (!(theirs < own)) conversation.position = data.position;
      store.setConnection(data.connection);
    } else if (data.type === 'opened') {
      incoming.reconnect();
      if (!data.isResumed) {
        conversation.position = data.position;
        conversation.resync();
      }
    } else if (data.type === 'signal') {
      const { signal, id } = data;
      if (id) {
        const ahead = Number(id) - Number(conversation.position) - 1;
        if (ahead < 0) return;
        if (ahead > 0) conversation.resync();
        conversation.position = id;
      }
      conversation.handleSignal(signal);
    }
  };
  const onMessage = ({ data }: MessageEvent<TabMessage>) => {
    const { from, term: theirs } = data;
    if (data.type === 'hello') return onHello(from, data.isAwake);
    if (data.type === 'leaving') {
      others.delete(from);
      if (from !== leader) return;
      leader = undefined;
      after((isHidden() ? successionMs : 0) + successionMs * Math.random(), lead);
      return;
    }
    others.add(from);
    if (theirs < term || (theirs === term && leader !== undefined && from > leader)) return announce();
    follow(from, theirs);
    onLeader(data);
  };

  const join = () => {
    if (channel) return;
    try {
      channel = new BroadcastChannel(`${widget.storageKey}:${id}`);
      channel.onmessage = onMessage;
    } catch {
      // The browser refuses it together with storage: this tab leads alone.
    }
    ask(true, askMs);
  };
  const leave = () => {
    clearTimeout(timer);
    // The position is kept. Chromium keeps the connections of a page in the back/forward cache.
    conversation?.suspend();
    post({ type: 'leaving' });
    channel?.close();
    channel = leader = undefined;
    isAsking = false;
    // A plain server does not number its signals, so that the position does not tell what is missed until it joins again.
    isStale = true;
  };
  const onAwake = () => {
    if (!channel || !conversation || isHidden()) return;
    // A leader that the system has stopped may have a successor, which replies.
    if (isLeader()) announce();
    else ask(true);
  };

  const listening = { signal };
  addEventListener('pagehide', leave, listening);
  addEventListener('pageshow', (event) => event.persisted && join(), listening);
  // Chromium freezes background tabs.
  document.addEventListener('freeze', leave, listening);
  document.addEventListener('resume', join, listening);
  document.addEventListener('visibilitychange', onAwake, listening);
  addEventListener('online', onAwake, listening);
  signal.addEventListener('abort', () => {
    leave();
    settleAsked();
  });
  scope.addEventListener('abort', end);
  join();

  return {
    id,
    asked,
    attach(joined) {
      if (conversation) return false;
      conversation = joined;
      // The server has refused it: without a stream it must not lead the tabs that join in the same scope.
      joined.signal.addEventListener('abort', end);
      const { reached } = joined;
      joined.reached = () => {
        if (isLeader()) reached();
        else if (store.state.connection !== 'online' && !isAsking) ask(true);
      };
      joined.onSignal = (signal, id) => {
        if (isLeader() && others.size > 0) post({ type: 'signal', signal, id });
      };
      joined.onOpen = (isResumed) => {
        if (isLeader() && others.size > 0) post({ type: 'opened', isResumed, position: joined.position });
      };
      signal.addEventListener('abort', store.observe(announce));
      const hasLeader = leader !== undefined || isYielding;
      if (!hasLeader) {
        lead();
        return false;
      }
      joined.suspend();
      isStale = leader === undefined;
      ask(true);
      return true;
    },
  };
}

/** Shares the stream of a joined conversation, unless that was done when it was joined: this bundle may load later. */
export async function shareStream(
  internals: SessionInternals,
  { tabs, connection }: SessionScope,
  scope: AbortSignal,
): Promise<void> {
  if (!connection) return;
  const joined = tabs?.id === connection.id ? tabs : joinTabs(internals, connection.id, scope);
  await joined?.asked;
  if (!scope.aborted) joined?.attach(connection);
}

/** A message between tabs. The term increases with each leader: the one with the higher term leads. */
type TabMessage = { from: string; term: number } & TabMessageBody;
/** The content of a message, without its sender and term. */
type TabMessageBody =
  /** Asks who leads. `isAwake`: the visitor looks at this tab, so the stream must not be dead. */
  | { type: 'hello'; isAwake: boolean }
  /** The state of the leader's stream, at each change and as a reply to each hello. */
  | { type: 'leading'; connection: ConnectionStatus; position: string | undefined; isHidden: boolean }
  /** The leader's stream was opened again. */
  | { type: 'opened'; isResumed: boolean; position: string | undefined }
  | { type: 'signal'; signal: Signal; id: string }
  /** This tab was closed, or the browser stops it. */
  | { type: 'leaving' };
