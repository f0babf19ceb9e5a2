// The changes of one workspace: each is read once for all members, and sent to the clients of those who may see it.
import type { TeamSignal, TeamSignals } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import type { TeamBus, TeamChange } from '../realtime/team-bus.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import { findMessage } from '../storage/chat/messages.ts';
import type { Database } from '../storage/database.ts';
import { findInboxRecord } from '../storage/inbox/lists.ts';
import { findNote } from '../storage/inbox/notes.ts';
import { audienceOf, audienceOfTeam, type HandlingPlace } from '../storage/inbox/visibility.ts';
import { createBotRows } from './bot-rows.ts';
import { serializedNote, serializeMessages, serializeRows } from './serializers.ts';

/** Milliseconds after which the page of a visitor is unknown. It is told again while a member looks, every 15 s. */
const pageTimeoutMs = 25_000;

export interface FeedClient {
  memberId: string;
  seesAllTeams: boolean;
  /** Whether it may have missed changes. Its page asks for them when it connects again. */
  isBehind: boolean;
  send(signal: TeamSignal): void;
  countSoon(): void;
}

export interface Feed<Client extends FeedClient> {
  clients: Set<Client>;
  end(): void;
}

type Audience = ReadonlySet<string> | undefined;

const isIn = (audience: Audience, { memberId, seesAllTeams }: FeedClient): boolean =>
  audience === undefined || seesAllTeams || audience.has(memberId);

/** Reads the changes of a workspace while it has clients. `onError`: called if a change could not be read. */
export function createFeed<Client extends FeedClient>(
  workspaceId: string,
  options: { db: Database; team: TeamBus; now(): number; onError(error: unknown): void },
): Feed<Client> {
  const { db, team, now } = options;
  const clients = new Set<Client>();
  const missAll = () => {
    for (const client of clients) client.isBehind = true;
  };
  /** Nobody was told of a change. */
  const onError = (error: unknown) => {
    missAll();
    options.onError(error);
  };
  /** Conversations whose rows are being read; true if they have changed since. */
  const reading = new Map<string, boolean>();
  const present = createPresentMembers(now);
  /** Where each conversation was before the changes that are still to be sent. */
  const places = new Map<string, HandlingPlace[]>();

  const botRows = createBotRows(workspaceId, { db, now, onError, clients });

  /** `audience`: the members who may see the conversation; undefined: all. `isMeant`: for this client. */
  function send(
    signal: TeamSignal,
    audience: Audience,
    isMeant: (client: FeedClient) => boolean = () => true,
  ): void {
    for (const client of [...clients]) if (isIn(audience, client) && isMeant(client)) client.send(signal);
  }

  async function sendRow(conversationId: string, from?: HandlingPlace): Promise<void> {
    if (from) places.set(conversationId, [...(places.get(conversationId) ?? []), from]);
    if (reading.has(conversationId)) return void reading.set(conversationId, true);
    try {
      do {
        reading.set(conversationId, false);
        const formerPlaces = places.get(conversationId) ?? [];
        places.delete(conversationId);
        const { row, audience, before } = await db.read(async (tx) => {
          const record = await findInboxRecord(tx, workspaceId, conversationId);
          const [found] = record ? await serializeRows(tx, [record]) : [];
          const earlier: Audience[] = [];
          for (const place of formerPlaces) earlier.push(await audienceOfTeam(tx, place));
          return { row: found, audience: await audienceOf(tx, conversationId), before: earlier };
        });
        if (!row) continue;
        send({ type: 'inbox_row', data: { row } }, audience);
        // It has come to a restricted team: a member who saw it must not keep it. If its team becomes restricted, the streams
        // of those who do not see it any more end at the next ping, and their lists are read again.
        for (const client of [...clients])
          if (!isIn(audience, client) && before.some((one) => isIn(one, client)))
            client.send({ type: 'inbox_deleted', data: { conversationId, isHidden: true } });
      } while (reading.get(conversationId));
    } finally {
      reading.delete(conversationId);
    }
    for (const client of clients) client.countSoon();
  }

  async function sendNote(conversationId: string, noteId: string): Promise<void> {
    const { note, audience } = await db.read(async (tx) => {
      const found = await findNote(tx, conversationId, noteId);
      return {
        note: found && (await serializedNote(tx, found)),
        audience: await audienceOf(tx, conversationId),
      };
    });
    if (note) send({ type: 'inbox_note', data: { note } }, audience);
  }

  let lastMessage: Promise<void> = Promise.resolve();
  /** One after the other: of two reads at the same time, the earlier one can end last. */
  function sendMessage(conversationId: string, messageId: string): Promise<void> {
    const sent = lastMessage.then(async () => {
      const { message, audience } = await db.read(async (tx) => {
        const conversation = await conversationById(tx, conversationId);
        const row = conversation && (await findMessage(tx, messageId));
        return {
          message: row && (await serializeMessages(tx, conversation, [row]))[0],
          audience: await audienceOf(tx, conversationId),
        };
      });
      if (message) send({ type: 'inbox_message', data: { message } }, audience);
    });
    lastMessage = sent.catch(() => {});
    return sent;
  }

  /** Sends a signal about a conversation to the members who may see it. */
  async function sendOf<
    T extends 'inbox_message_deleted' | 'inbox_note_deleted' | 'inbox_read' | 'inbox_typing' | 'inbox_page',
  >(type: T, data: TeamSignals[T], isMeant?: (client: FeedClient) => boolean): Promise<void> {
    const audience = await db.read((tx) => audienceOf(tx, data.conversationId));
    send({ type, data } as TeamSignal, audience, isMeant);
  }

  /** Tells who is in a conversation now. */
  async function sendPresence(change: Extract<TeamChange, { kind: 'presence' }>): Promise<void> {
    const { conversationId } = change;
    present.update(change);
    const audience = await db.read((tx) => audienceOf(tx, conversationId));
    const all = present.list(conversationId);
    for (const client of [...clients]) {
      if (!isIn(audience, client)) continue;
      // Members do not see their own presence, not even from another tab.
      const members = all.filter(({ memberId }) => memberId !== client.memberId);
      client.send({ type: 'inbox_presence', data: { conversationId, members } });
    }
  }

  function receive(change: TeamChange): void {
    if (change.kind === 'settings') {
      const { changed, memberId } = change;
      const audience = memberId === undefined ? undefined : new Set([memberId]);
      for (const client of [...clients])
        if (audience?.has(client.memberId) ?? true)
          client.send({ type: 'inbox_settings', data: { changed } });
      return;
    }
    if (change.kind === 'watch') return void botRows.watch(change.memberId);
    const { conversationId } = change;
    if (change.kind === 'visitor') botRows.change(conversationId);
    else if (change.kind === 'presence') sendPresence(change).catch(onError);
    else if (change.kind === 'note') sendNote(conversationId, change.noteId).catch(onError);
    else if (change.kind === 'row') {
      const { from, deletedMessageId: messageId, changedMessageId } = change;
      // A page may have read it long ago: the timeline that is read again does not tell of it.
      if (changedMessageId !== undefined) sendMessage(conversationId, changedMessageId).catch(onError);
      if (messageId !== undefined)
        sendOf('inbox_message_deleted', { conversationId, messageId }).catch(onError);
      sendRow(conversationId, from).catch(onError);
    } else if (change.kind === 'read') {
      const { seq, until } = change;
      sendOf('inbox_read', { conversationId, seq, until }).catch(onError);
    } else if (change.kind === 'typing') {
      const { timeout, isOfBot } = change;
      if (isOfBot && ![...clients].some(botRows.isWatching)) return;
      sendOf('inbox_typing', { conversationId, timeout }, isOfBot && botRows.isWatching).catch(onError);
    } else if (change.kind === 'page') {
      const { page } = change;
      const isHere = ({ memberId }: FeedClient) =>
        present.list(conversationId).some((member) => member.memberId === memberId);
      const data = page ? { conversationId, timeout: pageTimeoutMs, page } : { conversationId, timeout: 0 };
      if ([...clients].some(isHere)) sendOf('inbox_page', data, isHere).catch(onError);
    } else if (change.kind === 'note_deleted') {
      sendOf('inbox_note_deleted', { conversationId, noteId: change.noteId }).catch(onError);
    } else {
      send({ type: 'inbox_deleted', data: { conversationId } }, undefined);
      for (const client of clients) client.countSoon();
    }
  }

  const unsubscribe = team.subscribe(workspaceId, { onChange: receive, onGap: missAll });
  return {
    clients,
    end() {
      unsubscribe();
      botRows.end();
    },
  };
}

export type PresentMember = TeamSignals['inbox_presence']['members'][number];

/** The members who look at each conversation of a workspace now, with their activity. */
export interface PresentMembers {
  /** Stores the presence of a member. It is removed after `limits.inbox.presence` without a further call. */
  update(change: Extract<TeamChange, { kind: 'presence' }>): void;
  /** The members in a conversation. */
  list(conversationId: string): PresentMember[];
}

/** By the id of the member; `until`: milliseconds since 1970. */
type Members = Map<string, PresentMember & { until: number }>;

/** `now`: milliseconds since 1970. */
export function createPresentMembers(now: () => number): PresentMembers {
  const present = new Map<string, Members>();
  return {
    update({ conversationId, memberId, name, pictureUrl, state }) {
      const at = now();
      const expire = (members: Members) => {
        for (const [id, { until }] of members) if (until < at) members.delete(id);
        return members;
      };
      // The map is in the order of the last updates, the oldest first.
      for (const [id, others] of present) {
        if (expire(others).size > 0) break;
        present.delete(id);
      }
      const members = expire(present.get(conversationId) ?? new Map());
      present.delete(conversationId);
      if (state === 'gone') members.delete(memberId);
      else {
        const until = at + limits.inbox.presence;
        members.set(memberId, { memberId, name, ...(pictureUrl ? { pictureUrl } : {}), state, until });
      }
      if (members.size > 0) present.set(conversationId, members);
    },
    list: (conversationId) =>
      [...(present.get(conversationId)?.values() ?? [])].map(({ until: _, ...member }) => member),
  };
}
