// The actions of a conversation: those of its state as buttons, all others in the list of actions.
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';
import type { Inbox } from '../inbox.ts';
import { type CommandId, commands } from '../keyboard/commands.ts';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';

export function Toolbar({ inbox, row }: { inbox: Inbox; row: InboxRow }) {
  const { route } = inbox.router;
  return (
    <div class="toolbar" role="toolbar" aria-label="Actions">
      {buttonsOf(row, inbox.me.memberId).map((id, index) => (
        <CommandButton key={id} inbox={inbox} row={row} id={id} isMain={index === 0} />
      ))}
      <Link
        inbox={inbox}
        to={{ ...route.value, isVisitorShown: true }}
        class="plain to-visitor"
        aria-label="Visitor"
      >
        <Icon name="visitor" />
      </Link>
      <button
        type="button"
        class="plain"
        aria-label="All actions"
        aria-keyshortcuts="Control+K"
        onClick={() => inbox.openDialog('actions')}
      >
        <Icon name="more" />
      </button>
    </div>
  );
}

function buttonsOf({ state, assignee }: InboxRow, memberId: string): CommandId[] {
  if (state === 'closed') return ['reopen'];
  if (state === 'snoozed') return assignee ? ['unsnooze', 'close'] : ['take', 'unsnooze'];
  if (!assignee && state !== 'assigned') return ['take'];
  return assignee?.memberId === memberId ? ['close', 'snooze'] : ['assign'];
}

interface ButtonProps {
  inbox: Inbox;
  row: InboxRow;
  id: CommandId;
  isMain: boolean;
}

function CommandButton({ inbox, row, id, isMain }: ButtonProps) {
  const command = commands[id];
  const pending = inbox.actions.pending.value.get(row.conversationId);
  const refusal = command.refusal?.(inbox, row);
  return (
    <button
      type="button"
      class={isMain ? 'main' : ''}
      aria-keyshortcuts={command.key}
      title={refusal}
      aria-disabled={refusal !== undefined || pending !== undefined}
      onClick={() => {
        if (refusal === undefined && pending === undefined) command.run(inbox, row);
      }}
    >
      {pending?.has(id) ? `${command.label}…` : command.label}
    </button>
  );
}
