// The files above the text of a reply or a note: name, size or progress, and a button to remove each one.
import { useRef } from 'preact/hooks';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import { focusComposer } from '../components/focus.ts';
import { Icon } from '../components/Icon.tsx';
import type { Attachments } from '../state/attachments.ts';

interface Props {
  attachments: Attachments;
  /** The conversation. */
  id: string;
  label: string;
}

export function AttachmentList({ attachments, id, label }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const files = attachments.of(id);
  if (files.length === 0) return null;
  return (
    <ul ref={list} class="attachments" aria-label={label}>
      {files.map(({ key, content: { name, size }, status, sent, problem, canRetry }) => (
        <li key={key} data-status={status}>
          <Icon name="file" />
          <span class="words">
            <bdi>{name}</bdi>
            {status === 'uploading' ? (
              <progress value={sent} max={size} aria-label={`${name} is uploaded`} />
            ) : (
              <small role={problem ? 'alert' : undefined}>
                {problem && <span class="visually-hidden">{name}: </span>}
                {problem ?? formatBytes(size, 'en')}
              </small>
            )}
          </span>
          {canRetry && (
            <button type="button" onClick={() => attachments.retry(id, key)}>
              Try again<span class="visually-hidden"> to upload {name}</span>
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-label={status === 'uploading' ? `Cancel ${name}` : `Remove ${name}`}
            title={status === 'uploading' ? 'Cancel' : 'Remove'}
            onClick={() => {
              attachments.remove(id, key);
              // The button is gone with its file.
              focusComposer();
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
