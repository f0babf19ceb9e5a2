// The files of a note. They have no lasting address: each is asked for when it is shown or opened.
import { useEffect, useState } from 'preact/hooks';
import type { Note, NoteFile } from '../../../../protocol/handling/inbox.ts';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { describeError } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';
import { Icon } from './Icon.tsx';

interface Props {
  inbox: Inbox;
  note: Note;
}

export function NoteFiles({ inbox, note: { body, files = [], conversationId } }: Props) {
  if (files.length === 0) return body ? null : <p class="text">The files of this note were deleted.</p>;
  return (
    <ul class="note-files" aria-label="Files of this note">
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
        <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => void open()}>
          <Icon name="file" />
          <span class="visually-hidden">Download </span>
          <bdi>{name}</bdi>
        </button>
        <small>{formatBytes(file.size, 'en')}</small>
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
