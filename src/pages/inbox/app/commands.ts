// Everything that a member can do with a conversation, with its name and its key: for buttons, keys and the list of actions.
import type { InboxList, InboxRow } from '../../../protocol/inbox.ts';
import { missingPermission } from './api/describe-error.ts';
import { focusComposer, focusRow, isTouch } from './components/focus.ts';
import type { DialogName, Inbox } from './inbox.ts';
import { listNames, visitorName } from './state/lists.ts';
import { isInFront } from './state/route.ts';

export interface Command {
  label: string;
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
  inbox.announcer.announce(`${visitorName(row)}: done.`);
  if (!isStillOpen(inbox, row)) return;
  const { order = [], focus } = inbox.shownList.current ?? {};
  const index = order.indexOf(row.conversationId);
  const { list = 'mine', filter } = inbox.router.route.peek();
  inbox.router.go({ list, filter, conversationId: undefined, isVisitorShown: false });
  const next = order[index + 1] ?? order[index - 1];
  if (next) focus?.(next);
  else focusRow(undefined);
};

export const commands = {
  take: {
    label: 'Take',
    key: 't',
    isOffered: ({ assignee, state }) => !assignee && state !== 'closed',
    refusal: mayWrite,
    run: (inbox, row) =>
      void inbox.actions.take(row).then((isDone) => {
        // A phone would open its keyboard over the messages.
        if (isDone && !isTouch() && isStillOpen(inbox, row)) focusComposer();
      }),
  },
  reply: { label: 'Reply', key: 'r', isOffered: () => true, refusal: mayWrite, run: compose('reply') },
  note: { label: 'Write a note', key: 'n', isOffered: () => true, refusal: mayWrite, run: compose('note') },
  assign: {
    label: 'Assign',
    key: 'a',
    isOffered: (row) => isOpen(row),
    refusal: mayChange,
    run: show('assign'),
  },
  close: {
    label: 'Close',
    key: 'e',
    isOffered: (row) => isOpen(row),
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.close(row).then((isDone) => leave(inbox, row, isDone)),
  },
  reopen: {
    label: 'Reopen',
    key: 'e',
    isOffered: ({ state }) => state === 'closed',
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.reopen(row),
  },
  snooze: {
    label: 'Snooze',
    key: 'z',
    isOffered: ({ state }) => state === 'assigned' || state === 'waiting',
    refusal: mayWrite,
    run: show('snooze'),
  },
  unsnooze: {
    label: 'End snooze',
    key: 'z',
    isOffered: ({ state }) => state === 'snoozed',
    refusal: mayWrite,
    run: (inbox, row) => void inbox.actions.unsnooze(row),
  },
  return: {
    label: 'Give back to the bot',
    key: 'b',
    isOffered: (row) => isOpen(row),
    refusal: mayChange,
    run: (inbox, row) => void inbox.actions.returnToBot(row).then((isDone) => leave(inbox, row, isDone)),
  },
  release: {
    label: 'Release to the queue',
    key: 'u',
    isOffered: (row, memberId) => isMine(row, memberId) || (isOpen(row) && row.assignee !== undefined),
    refusal: mayChange,
    run: (inbox, row) => void inbox.actions.release(row),
  },
  tags: { label: 'Tags', key: 'l', isOffered: () => true, refusal: mayWrite, run: show('tags') },
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
} as const satisfies Record<string, InboxList>;

/** The keys that are no commands, for the list of keys. */
export const otherKeys: readonly [keys: string, what: string][] = [
  ['j, k', 'Next and previous conversation in the list'],
  ['Enter', 'Open the conversation'],
  [
    'g, then a letter',
    `Another list: ${Object.entries(listKeys)
      .map(([key, list]) => `${key} ${listNames[list]}`)
      .join(', ')}`,
  ],
  ['/', 'Search in the list; in an empty reply: canned answers'],
  ['Ctrl+Enter', 'Send what is written'],
  ['Ctrl+K', 'All actions'],
  ['Escape', 'From the composer to the messages, then to the list'],
  ['F6, Shift+F6', 'Next and previous pane'],
  ['?', 'These keys'],
];
