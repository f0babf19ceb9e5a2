// Writes to the visitor or to the team: two forms that share nothing but the box, so that neither text becomes the other.
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { preview } from '../../../../protocol/message.ts';
import { missingPermission } from '../api/describe-error.ts';
import { stayInComposer } from '../components/focus.ts';
import { Icon } from '../components/Icon.tsx';
import type { Inbox } from '../inbox.ts';
import type { Mode } from '../state/drafts.ts';
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
  if (refusal) return <p class="composer refusal">You can read this conversation. {refusal}</p>;
  return (
    <div class="composer" data-mode={mode}>
      <Notice inbox={inbox} row={row} />
      <fieldset class="modes">
        <legend class="visually-hidden">What do you write?</legend>
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
            <Icon name={name} />
            {modeNames[name]}
            {drafts.textOf(id, name) && name !== mode && <span class="draft">draft</span>}
          </label>
        ))}
      </fieldset>
      {mode === 'reply' ? <ReplyForm inbox={inbox} row={row} /> : <NoteForm inbox={inbox} row={row} />}
    </div>
  );
}

const modeNames: Record<Mode, string> = { reply: 'Reply', note: 'Note' };

function ReplyForm({ inbox, row }: Props) {
  const { actions, drafts, presence, me } = inbox;
  const attachments = inbox.attachments.reply;
  const id = row.conversationId;
  const isMine = row.assignee?.memberId === me.memberId && row.state === 'assigned';
  const isOfOther = row.assignee && row.assignee.memberId !== me.memberId && row.state !== 'closed';
  if (isOfOther) {
    return (
      <p class="refusal">
        {row.assignee?.name} answers this conversation. You can write a note for the team
        {me.permissions.includes('inbox.assign') ? ', or assign it to yourself.' : '.'}
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
      label={`Reply to ${name}`}
      placeholder={`Write to ${name}`}
      text={drafts.textOf(id, 'reply')}
      isBusy={actions.isPending(id, 'reply')}
      hasVariables
      onSlash={() => inbox.openDialog('answers')}
      attachments={<AttachmentList attachments={attachments} id={id} label="Files of this reply" />}
      hasAttachments={files.some(({ status }) => status === 'uploaded')}
      waiting={files.some(({ status }) => status === 'uploading') ? 'Uploading…' : undefined}
      onFiles={addFiles}
      tools={
        <>
          <AttachButton onFiles={addFiles} />
          <button
            type="button"
            class="plain"
            aria-label="Canned answers"
            aria-keyshortcuts="/"
            title="Canned answers (/ in an empty reply)"
            onClick={() => inbox.openDialog('answers')}
          >
            <Icon name="answer" />
          </button>
        </>
      }
      button={
        isNewer
          ? 'Send anyway'
          : isMine
            ? 'Send'
            : row.state === 'closed'
              ? 'Reopen and send'
              : 'Take and send'
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
      label="Note for the team"
      placeholder="Write a note for your team, with @ for a colleague"
      hint="Only your team sees this."
      text={drafts.textOf(id, 'note')}
      isBusy={actions.isPending(id, 'note')}
      colleagues={team.colleagues.value}
      chosen={drafts.chosenIn(id, 'note')}
      attachments={<AttachmentList attachments={attachments} id={id} label="Files of this note" />}
      hasAttachments={files.some(({ status }) => status === 'uploaded')}
      waiting={files.some(({ status }) => status === 'uploading') ? 'Uploading…' : undefined}
      onFiles={addFiles}
      tools={<AttachButton onFiles={addFiles} />}
      button="Add note"
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
            Dismiss
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
    )
      return { by: item.message.author.name ?? 'A colleague', text: preview(item.message.payload) };
  }
  return undefined;
}
