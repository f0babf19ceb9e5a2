// Writes to the visitor or to the team: two forms that share nothing but the box, so that neither text becomes the other.
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { preview } from '../../../../protocol/message.ts';
import { plainMarkdown } from '../../../../protocol/plain-markdown.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import { missingPermission } from '../api/describe-error.ts';
import { commands } from '../commands.ts';
import { stayInComposer } from '../components/focus.ts';
import type { Inbox } from '../inbox.ts';
import { visitorName } from '../state/lists.ts';
import { type Timeline, timelineItems } from '../state/timeline.ts';
import { AttachButton, AttachmentList } from './Attachments.tsx';
import { WritingBox } from './WritingBox.tsx';

interface Props {
  inbox: Inbox;
  row: InboxRow;
}

export function Composer({ inbox, row }: Props) {
  const { drafts } = inbox;
  const id = row.conversationId;
  const mode = drafts.modeOf(id);
  const refusal = missingPermission(inbox.me.permissions, 'inbox.write');
  if (refusal) return <p class="composer refusal">{`${t('You can read this conversation.')} ${refusal}`}</p>;
  // Notes need a conversation of the team.
  if (row.state === 'bot' && !row.handoff)
    return (
      <div class="composer">
        <Notice inbox={inbox} row={row} />
        <TakeOver inbox={inbox} row={row} />
      </div>
    );
  return (
    <div class="composer" data-mode={mode}>
      <Notice inbox={inbox} row={row} />
      <div class="writing">
        <fieldset class="modes segments">
          <legend class="visually-hidden">{t('What do you write?')}</legend>
          {(['reply', 'note'] as const).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name={`mode ${id}`}
                checked={mode === name}
                onChange={() => {
                  drafts.setMode(id, name);
                }}
              />
              {name === 'reply' ? t('Reply') : t('Note')}
              {drafts.textOf(id, name) && name !== mode && <span class="draft">{t('draft')}</span>}
            </label>
          ))}
        </fieldset>
        {mode === 'note' ? (
          <NoteForm inbox={inbox} row={row} />
        ) : row.state === 'bot' ? (
          <TakeOver inbox={inbox} row={row} />
        ) : (
          <ReplyForm inbox={inbox} row={row} />
        )}
      </div>
    </div>
  );
}

/** In place of the reply while the bot answers. */
function TakeOver({ inbox, row }: Props) {
  const refusal = commands.takeover.refusal(inbox);
  if (refusal) return <p class="refusal">{`${t('The bot answers.')} ${refusal}`}</p>;
  const pending = inbox.actions.pending.value.get(row.conversationId);
  return (
    <div class="takeover">
      <p class="refusal">{t('The bot answers. Take over to write.')}</p>
      <button
        type="button"
        class="main"
        aria-keyshortcuts={commands.takeover.key}
        aria-disabled={pending !== undefined}
        onClick={() => {
          if (!pending) commands.takeover.run(inbox, row);
        }}
      >
        {pending?.has('take') ? t('Take over…') : t('Take over')}
      </button>
    </div>
  );
}

function ReplyForm({ inbox, row }: Props) {
  const { actions, drafts, presence, me } = inbox;
  const attachments = inbox.attachments.reply;
  const id = row.conversationId;
  const isMine = row.assignee?.memberId === me.memberId && row.state === 'assigned';
  const isOfOther = row.assignee && row.assignee.memberId !== me.memberId && row.state !== 'closed';
  if (isOfOther) {
    return (
      <p class="refusal">
        {me.permissions.includes('inbox.assign')
          ? t(
              '{name} answers this conversation. You can write a note for the team, or assign it to yourself.',
              { name: row.assignee?.name ?? '' },
            )
          : t('{name} answers this conversation. You can write a note for the team.', {
              name: row.assignee?.name ?? '',
            })}
      </p>
    );
  }
  const name = visitorName(row);
  const files = attachments.of(id);
  const addFiles = (added: File[]) => attachments.add(id, added);
  const isNewer = actions.notices.value.get(id)?.kind === 'newer';
  return (
    <WritingBox
      key={`reply ${id}`}
      label={t('Reply to {name}', { name })}
      placeholder={t('Write a reply')}
      text={drafts.textOf(id, 'reply')}
      isBusy={actions.isPending(id, 'reply')}
      hasVariables
      hasFormats
      onSlash={() => inbox.openDialog('answers')}
      attachments={<AttachmentList attachments={attachments} id={id} label={t('Files of this reply')} />}
      hasAttachments={files.some(({ status }) => status === 'uploaded')}
      waiting={files.some(({ status }) => status === 'uploading') ? t('Uploading…') : undefined}
      onFiles={addFiles}
      tools={
        <>
          <AttachButton onFiles={addFiles} />
          <button
            type="button"
            class="plain"
            aria-label={t('Canned answers')}
            aria-keyshortcuts="/"
            title={t('Canned answers (/ in an empty reply)')}
            onClick={() => inbox.openDialog('answers')}
          >
            <Icon name="answer" />
          </button>
        </>
      }
      button={
        isNewer
          ? t('Send anyway')
          : isMine
            ? t('Send')
            : row.state === 'closed'
              ? t('Reopen and send')
              : t('Take and send')
      }
      onText={(text) => {
        drafts.setText(id, 'reply', text);
        presence.write('replying');
      }}
      onSend={() => {
        presence.stop();
        void actions.sendReply(row, { isAnyway: isNewer }).then((isSent) => isSent && stayInComposer());
      }}
    />
  );
}

function NoteForm({ inbox, row }: Props) {
  const { actions, drafts, presence, team } = inbox;
  const attachments = inbox.attachments.note;
  const id = row.conversationId;
  const files = attachments.of(id);
  const addFiles = (added: File[]) => attachments.add(id, added);
  return (
    <WritingBox
      key={`note ${id}`}
      label={t('Note for the team')}
      placeholder={t('Write a note for your team, with @ for a colleague')}
      hint={t('Only your team sees this.')}
      text={drafts.textOf(id, 'note')}
      isBusy={actions.isPending(id, 'note')}
      colleagues={team.colleagues.value}
      chosen={drafts.chosenIn(id, 'note')}
      attachments={<AttachmentList attachments={attachments} id={id} label={t('Files of this note')} />}
      hasAttachments={files.some(({ status }) => status === 'uploaded')}
      waiting={files.some(({ status }) => status === 'uploading') ? t('Uploading…') : undefined}
      onFiles={addFiles}
      tools={<AttachButton onFiles={addFiles} />}
      button={t('Add note')}
      onText={(text, chosen) => {
        drafts.setText(id, 'note', text, chosen);
        presence.write('noting');
      }}
      onSend={() => {
        presence.stop();
        void actions.addNote(id).then((isAdded) => isAdded && stayInComposer());
      }}
    />
  );
}

export function Notice({ inbox, row }: { inbox: Inbox; row: InboxRow }) {
  const { actions, store, me } = inbox;
  const id = row.conversationId;
  const notice = actions.notices.value.get(id);
  const timeline = store.conversations.value.get(id)?.timeline;
  const written = notice?.kind === 'newer' && timeline && lastOfColleagues(timeline, me.memberId, me.name);
  return (
    <div class="notice" role="alert" hidden={!notice}>
      {notice && (
        <>
          <p>{notice.text}</p>
          {written && (
            <blockquote>
              <bdi>{written.by}</bdi>: <bdi>{written.text}</bdi>
            </blockquote>
          )}
          <button type="button" onClick={() => actions.dismiss(id)}>
            {t('Dismiss')}
          </button>
        </>
      )}
    </div>
  );
}

/** The newest message or note that a colleague wrote. */
function lastOfColleagues(timeline: Timeline, memberId: string, name: string) {
  for (const item of timelineItems(timeline).reverse()) {
    if (item.kind === 'note' && item.note.author.memberId !== memberId)
      return { by: item.note.author.name, text: item.note.body };
    if (
      item.kind === 'message' &&
      item.message.author?.kind === 'person' &&
      item.message.author.name !== name
    ) {
      const { author, payload } = item.message;
      const text = preview(payload);
      return {
        by: author.name ?? t('A colleague'),
        text: payload.type === 'markdown' ? plainMarkdown(text) : text,
      };
    }
  }
  return undefined;
}
