// One conversation: who it is with, what can be done, what was said, and the composers.
import { useEffect } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import { type CommandId, commands } from '../commands.ts';
import { Composer } from '../composer/Composer.tsx';
import type { Inbox } from '../inbox.ts';
import { visitorName } from '../state/lists.ts';
import { stateText } from './ConversationRow.tsx';
import { Link } from './Link.tsx';
import { Transcript } from './Transcript.tsx';
import { isLate, waitingText, waitOf } from './times.ts';

export function Conversation({ inbox, id }: { inbox: Inbox; id: string }) {
  const { store, router, sync } = inbox;
  const row = store.rows.value.get(id);
  const open = store.conversations.value.get(id);
  const { list, filter, visitors } = router.route.value;
  const back = {
    ...(visitors === undefined ? { list: list ?? 'all', filter } : { list, visitors }),
    ...{ conversationId: undefined, isVisitorShown: false },
  };
  const isGone = store.isDeleted(id) || store.hidden.value.has(id);
  const name = row ? visitorName(row) : t('Conversation');
  useEffect(() => {
    // The notice of the last visit is about what was then.
    return () => inbox.actions.dismiss(id);
  }, [inbox, id]);
  return (
    <>
      <div class="bar">
        <Link inbox={inbox} to={back} isBack class="plain back">
          <Icon name="back" />
          <span class="visually-hidden">{t('Conversations')}</span>
        </Link>
        {row && <Avatar name={name} />}
        <div class="title">
          <h2 tabIndex={-1} dir="auto">
            {name}
          </h2>
          {row && !isGone && (
            <p class="facts">
              <span class="state" data-state={row.state}>
                {stateText(inbox, row)}
              </span>
              {row.waitingSince && row.state !== 'closed' && (
                <span class="age" data-late={isLate(row.waitingSince, store.clock.value)}>
                  <span class="visually-hidden">{waitingText(row.waitingSince, store.clock.value)}</span>
                  <span aria-hidden="true">
                    {row.state === 'waiting'
                      ? waitOf(row.waitingSince, store.clock.value)
                      : t('waiting {age}', { age: waitOf(row.waitingSince, store.clock.value) })}
                  </span>
                </span>
              )}
              {row.tags.map((tag) => (
                <span key={tag} class="tag" dir="auto">
                  #{tag}
                </span>
              ))}
            </p>
          )}
        </div>
        {!isGone && <Colleagues inbox={inbox} id={id} />}
        {row && !isGone && <Toolbar inbox={inbox} row={row} />}
      </div>
      {isGone || open?.status === 'missing' ? (
        <p class="empty" role="alert">
          {open?.status === 'missing'
            ? t('There is no such conversation, or you may not see it.')
            : t(
                'This conversation was deleted, or it has come to a team whose conversations you may not see.',
              )}{' '}
          <Link inbox={inbox} to={back}>
            {t('Back to the list')}
          </Link>
        </p>
      ) : open?.status === 'failed' ? (
        <p class="empty" role="alert">
          {t('The conversation could not be loaded.')}{' '}
          <button type="button" onClick={() => void sync.refreshTimeline(id)}>
            {t('Try again')}
          </button>
        </p>
      ) : (
        <>
          <Transcript inbox={inbox} id={id} entry={router.route.value.entry} />
          {row && <Composer inbox={inbox} row={row} />}
        </>
      )}
    </>
  );
}

const doing = (name: string) => ({
  viewing: t('{name} looks', { name }),
  replying: t('{name} is replying', { name }),
  noting: t('{name} writes a note', { name }),
});

/** Other members in the conversation, and their activity. */
function Colleagues({ inbox, id }: { inbox: Inbox; id: string }) {
  const members = inbox.store.presence.value.get(id) ?? [];
  if (members.length === 0) return null;
  return (
    <ul class="colleagues" aria-label={t('Colleagues here')}>
      {members.map(({ memberId, name, state }) => (
        <li key={memberId} data-state={state}>
          <Avatar name={name} size="message" />
          <span>{doing(name)[state]}</span>
        </li>
      ))}
    </ul>
  );
}

/** The actions of a conversation: the ones of its state as buttons, all others in the list of actions. */
export function Toolbar({ inbox, row }: { inbox: Inbox; row: InboxRow }) {
  const { route } = inbox.router;
  // With a text, sending it is the next step, and its button is the solid one.
  const isWriting = inbox.drafts.textOf(row.conversationId, inbox.drafts.modeOf(row.conversationId)) !== '';
  const nextStep = isWriting ? undefined : row.state === 'closed' ? 'reopen' : 'take';
  return (
    <div class="toolbar" role="toolbar" aria-label={t('Actions')}>
      {buttonsOf(row, inbox.me.memberId).map((id) => (
        <CommandButton key={id} inbox={inbox} row={row} id={id} isMain={id === nextStep} />
      ))}
      <Link
        inbox={inbox}
        to={{ ...route.value, isVisitorShown: true }}
        class="plain to-visitor"
        aria-label={t('Visitor')}
      >
        <Icon name="visitor" />
      </Link>
      <button
        type="button"
        class="plain"
        aria-label={t('All actions')}
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
  // The button is where the composer would be.
  if (state === 'bot') return [];
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
      {pending?.has(id) ? t('{action}…', { action: command.label }) : command.label}
    </button>
  );
}
