// Everything that a member can do with a conversation, with its name and its key: for buttons, keys and the list of actions.
import type { InboxList, InboxRow } from '../../../protocol/inbox.ts';
import { t } from '../../ui/texts.ts';
import { isTouch } from '../../ui/touch.ts';
import { missingPermission } from './api/describe-error.ts';
import { focusComposer, focusRow } from './components/focus.ts';
import type { DialogName, Inbox } from './inbox.ts';
import { listNameOf, visitorName } from './state/lists.ts';
import { isInFront } from './state/route.ts';

export interface Command {
  readonly label: string;
  /** A single key, by `KeyboardEvent.key`, so that the layout of the keyboard decides. */
  key: string;
  /** Whether it makes sense for a conversation in this state. */
  isOffered(row: InboxRow, memberId: string): boolean;
  /** Why this member may not do it. */
  refusal?(inbox: Inbox, row: InboxRow): string | undefined;
  run(inbox: Inbox, row: InboxRow): void;
}

const isMine = ({ assignee, state }: InboxRow, memberId: string) =>
  assignee?.memberId === memberId && state !== 'closed';
const isOpen = ({ state }: InboxRow) => state !== 'closed' && state !== 'bot';

/** A person was asked for once: the team has notes and tags on it. */
const isOfTeam = ({ handoff }: InboxRow) => handoff !== undefined;

const mayWrite: Command['refusal'] = ({ me }) => missingPermission(me.permissions, 'inbox.write');
/** Commands that change the conversation of another member. */
const mayChange: Command['refusal'] = ({ me }, row) =>
  missingPermission(
    me.permissions,
    row.assignee && row.assignee.memberId !== me.memberId ? 'inbox.assign' : 'inbox.write',
  );

const show =
  (name: DialogName): Command['run'] =>
  (inbox) =>
    inbox.openDialog(name);

const compose =
  (mode: 'reply' | 'note'): Command['run'] =>
  (inbox, row) => {
    inbox.drafts.setMode(row.conversationId, mode);
    focusComposer();
  };

/** Whether the member has stayed in the conversation: a response that comes later must not move the focus. */
const isStillOpen = ({ router }: Inbox, { conversationId }: InboxRow): boolean => {
  const route = router.route.peek();
  return route.conversationId === conversationId && !isInFront(route);
};

/** After a conversation has left the list, the next one has the focus. */
const leave = (inbox: Inbox, row: InboxRow, isDone: boolean) => {
  if (!isDone) return;
  inbox.announcer.announce(t('{name}: done.', { name: visitorName(row) }));
  if (!isStillOpen(inbox, row)) return;
  const { order = [], focus } = inbox.shownList.current ?? {};
  const index = order.indexOf(row.conversationId);
  const { list = 'mine', filter } = inbox.router.route.peek();
  inbox.router.go({ list, filter, conversationId: undefined, isVisitorShown: false });
  const next = order[index + 1] ?? order[index - 1];
  if (next) focus?.(next);
  else focusRow(undefined);
};

const take: Command['run'] = (inbox, row) =>
  void inbox.actions.take(row).then((isDone) => {
    // A phone would open its keyboard over the messages.
    if (isDone && !isTouch() && isStillOpen(inbox, row)) focusComposer();
  });

export const commands = {
  take: {
    get label() {
      return t('Take');
    },
    key: 't',
    isOffered: ({ assignee, state }) => !assignee && state !== 'closed' && state !== 'bot',
    refusal: mayWrite,
    run: take,
  },
  takeover: {
    get label() {
      return t('Take over');
    },
    key: 't',
    isOffered: ({ state }) => state === 'bot',
    refusal: ({ me }) =>
      missingPermission(me.permissions, 'inbox.write') ?? missingPermission(me.permissions, 'inbox.takeover'),
    run: take,
  },
  reply: {
    get label() {
      return t('Reply');
    },
    key: 'r',
    isOffered: ({ state }) => state !== 'bot',
    refusal: mayWrite,
    run: compose('reply'),
  },
  note: {
    get label() {
      return t('Write a note');
    },
    key: 'n',
    isOffered: isOfTeam,
    refusal: mayWrite,
    run: compose('note'),
  },
  assign: {
    get label() {
      return t('Assign');
    },
    key: 'a',
    isOffered: (row) => isOpen(row),
    refusal: mayChange,
    run: show('assign'),
  },
  close: {
    get label() {
      return t('Close');
    },
    key: 'e',
    isOffered: (row) => isOpen(row),
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.close(row).then((isDone) => leave(inbox, row, isDone)),
  },
  reopen: {
    get label() {
      return t('Reopen');
    },
    key: 'e',
    isOffered: ({ state }) => state === 'closed',
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.reopen(row),
  },
  snooze: {
    get label() {
      return t('Snooze');
    },
    key: 'z',
    isOffered: ({ state }) => state === 'assigned' || state === 'waiting',
    refusal: mayWrite,
    run: show('snooze'),
  },
  unsnooze: {
    get label() {
      return t('End snooze');
    },
    key: 'z',
    isOffered: ({ state }) => state === 'snoozed',
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.unsnooze(row),
  },
  return: {
    get label() {
      return t('Give back to the bot');
    },
    key: 'b',
    isOffered: (row) => isOpen(row),
    refusal: mayChange,
    run: (inbox, row) => void inbox.actions.returnToBot(row).then((isDone) => leave(inbox, row, isDone)),
  },
  release: {
    get label() {
      return t('Release to the queue');
    },
    key: 'u',
    isOffered: (row, memberId) => isMine(row, memberId) || (isOpen(row) && row.assignee !== undefined),
    refusal: mayChange,
    run: (inbox, row) => void inbox.actions.release(row),
  },
  tags: {
    get label() {
      return t('Tags');
    },
    key: 'l',
    isOffered: isOfTeam,
    refusal: mayWrite,
    run: show('tags'),
  },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof commands;

/** The commands for a conversation, in the order of the list of actions. */
export const commandsFor = (row: InboxRow, memberId: string): [CommandId, Command][] =>
  (Object.entries(commands) as [CommandId, Command][]).filter(([, command]) =>
    command.isOffered(row, memberId),
  );

/** After `g`, the key of a list. */
export const listKeys = {
  m: 'mine',
  u: 'unassigned',
  w: 'waiting',
  n: 'mentioned',
  a: 'all',
  c: 'closed',
  s: 'snoozed',
  b: 'bot',
} as const satisfies Record<string, InboxList>;

/** The keys that are no commands, for the list of keys. */
export const otherKeys = (): [keys: string, what: string][] => [
  ['j, k', t('Next and previous conversation in the list')],
  [t('Enter'), t('Open the conversation')],
  [
    t('g, then a letter'),
    t('Another list: {lists}', {
      lists: Object.entries(listKeys)
        .map(([key, list]) => `${key} ${listNameOf(list)}`)
        .join(', '),
    }),
  ],
  ['/', t('Search in the list; in an empty reply: canned answers')],
  [t('Ctrl+Enter'), t('Send what is written')],
  [t('Ctrl+B, Ctrl+I'), t('In a reply: bold, italic')],
  [t('Ctrl+K'), t('All actions; in a reply: a link')],
  [t('Escape'), t('From the composer to the messages, then to the list')],
  [t('F6, Shift+F6'), t('Next and previous pane')],
  ['?', t('These keys')],
];
