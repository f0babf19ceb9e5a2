// A note of the transcript. Its author changes it in place; the author and managers delete it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Note, NoteFile } from '../../../../protocol/inbox.ts';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t, textLocale } from '../../../ui/texts.ts';
import { describeError } from '../api/describe-error.ts';
import { MentionBox } from '../composer/MentionBox.tsx';
import { moveChosen } from '../composer/mentions.ts';
import type { Inbox } from '../inbox.ts';
import { Text } from './Text.tsx';
import { timeOf } from './times.ts';

export function NoteEntry({ inbox, note }: { inbox: Inbox; note: Note }) {
  const { me, actions, drafts, team } = inbox;
  const mentioned = team.colleagues.value.filter(({ memberId }) => note.mentions?.includes(memberId));
  const mayWrite = me.permissions.includes('inbox.write');
  const isOwn = note.author.memberId === me.memberId;
  const mayDelete = mayWrite && (isOwn || me.permissions.includes('inbox.assign'));
  // Unsaved text is still there when the conversation is opened again.
  const [isEditing, setEditing] = useState(drafts.textOf(note.id, 'edit') !== '');
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { name } = note.author;
  return (
    <li class="note" data-entry={note.id}>
      <article class="line" aria-label={t('Note of {name}, only for your team', { name })}>
        <p class="author">
          <Icon name="note" />
          <span dir="auto">{name}</span>
          <span class="only">{t('Only your team sees this')}</span>
        </p>
        {isEditing ? (
          <EditForm inbox={inbox} note={note} onEnd={() => setEditing(false)} />
        ) : (
          <div class="bubble">
            {note.body && <Text text={note.body} mentioned={mentioned} />}
            <NoteFiles inbox={inbox} note={note} />
          </div>
        )}
        <p class="foot">
          <time dateTime={note.createdAt}>
            {timeOf(note.createdAt)}
            {note.editedAt && (
              <>
                {', '}
                <span title={t('Edited {time}', { time: timeOf(note.editedAt) })}>{t('edited')}</span>
              </>
            )}
          </time>
          <span class="grow" />
          {isOwn && mayWrite && !isEditing && (
            <button
              ref={edit}
              type="button"
              class="quiet"
              aria-label={t('Edit the note of {name}', { name })}
              onClick={() => setEditing(true)}
            >
              {t('Edit')}
            </button>
          )}
          {mayDelete && !isEditing && (
            <button
              type="button"
              class="quiet"
              aria-label={t('Delete the note of {name}', { name })}
              onClick={() => {
                if (confirm(t('Delete this note for the whole team?')))
                  void actions.deleteNote(note.conversationId, note.id);
              }}
            >
              {t('Delete')}
            </button>
          )}
        </p>
      </article>
    </li>
  );
}

function EditForm({ inbox, note, onEnd }: { inbox: Inbox; note: Note; onEnd(): void }) {
  const { actions, drafts, store } = inbox;
  const { conversationId, id } = note;
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(drafts.textOf(id, 'edit') || note.body);
  const latest = useRef(text);
  latest.current = text;
  const isBusy = actions.isPending(conversationId, id);
  // Before the next key, which is text of the box and not a command.
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
    return () => {
      const { status, timeline } = store.conversations.peek().get(conversationId) ?? {};
      // Also without a signal, such as after a cut. A conversation that the member may not see any more has no notes.
      const isDeleted = status === 'ready' && !timeline?.notes.has(id);
      if (!isDeleted) return;
      // A colleague has deleted it meanwhile: what was written is not lost.
      const { textOf, chosenIn, setText: setDraft } = drafts;
      const before = textOf(conversationId, 'note');
      const start = before ? `${before}\n\n` : '';
      const joined = start + latest.current;
      const moved = moveChosen(chosenIn(id, 'edit'), latest.current, joined, start.length);
      setDraft(id, 'edit', '');
      setDraft(conversationId, 'note', joined, [...chosenIn(conversationId, 'note'), ...moved]);
      inbox.announcer.announceNow(t('A colleague has deleted the note. Your text is in the box for notes.'));
    };
  }, []);
  const end = () => {
    drafts.setText(id, 'edit', '');
    onEnd();
  };
  const save = () => {
    if (!isBusy && text.trim()) void actions.updateNote(note, text).then((isDone) => isDone && onEnd());
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <MentionBox
        box={box}
        colleagues={inbox.team.colleagues.value}
        chosen={drafts.chosenIn(id, 'edit')}
        aria-label={t('Text of the note')}
        rows={Math.min(8, text.split('\n').length + 1)}
        text={text}
        readOnly={isBusy}
        dir="auto"
        onText={(value, chosen) => {
          setText(value);
          drafts.setText(id, 'edit', value, chosen);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <p class="send">
        <button type="button" onClick={end}>
          {t('Cancel')}
        </button>
        <button
          type="submit"
          class="main"
          aria-disabled={isBusy || !text.trim()}
          aria-keyshortcuts="Control+Enter"
        >
          {isBusy ? t('Saving…') : t('Save')}
        </button>
      </p>
    </form>
  );
}

interface NoteFilesProps {
  inbox: Inbox;
  note: Note;
}

/** The files of a note. They have no lasting address: the page requests one when it shows or opens the file. */
export function NoteFiles({ inbox, note: { body, files = [], conversationId } }: NoteFilesProps) {
  if (files.length === 0)
    return body ? null : <p class="text">{t('The files of this note were deleted.')}</p>;
  return (
    <ul class="note-files" aria-label={t('Files of this note')}>
      {files.map((file) => (
        <li key={file.id}>
          <File inbox={inbox} conversationId={conversationId} file={file} />
        </li>
      ))}
    </ul>
  );
}

/** Types that every browser shows as a picture; the server serves others as a download. */
const isPicture = ({ contentType }: NoteFile) => /^image\/(?:png|jpeg|gif|webp|avif)$/.test(contentType);

function File({ inbox, conversationId, file }: { inbox: Inbox; conversationId: string; file: NoteFile }) {
  const [picture, setPicture] = useState<string>();
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const name = toDrawable(file.key);
  const addressOf = async () =>
    (await inbox.api.inbox.getNoteFile({ id: conversationId, fileId: file.id })).file.url;
  useEffect(() => {
    // A picture that cannot be shown is still a name to press.
    if (isPicture(file)) addressOf().then(setPicture, () => {});
  }, [file.id]);
  const open = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem('');
    try {
      download(await addressOf(), file.key);
    } catch (error) {
      setProblem(describeError(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <figure class="file">
      {picture && <img src={picture} alt={name} onError={() => setPicture(undefined)} />}
      <figcaption>
        <button
          type="button"
          class="quiet"
          aria-label={t('Download {name}', { name })}
          aria-disabled={isBusy}
          onClick={() => void open()}
        >
          <Icon name="file" />
          <bdi>{name}</bdi>
        </button>
        <small>{formatBytes(file.size, textLocale())}</small>
        {problem && <p role="alert">{problem}</p>}
      </figcaption>
    </figure>
  );
}

function download(url: string, name: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name, rel: 'noopener noreferrer' });
  link.click();
}
