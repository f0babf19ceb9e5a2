// Attachments of the composer: the button, and the list of files.
import { useRef } from 'preact/hooks';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t, textLocale } from '../../../ui/texts.ts';
import { focusComposer } from '../components/focus.ts';
import type { Attachments } from '../state/attachments.ts';

export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={t('Attach files')}
        title={t('Attach files')}
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Otherwise choosing the same file again would not fire an event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Listeners of an element into which files are pasted and dropped. Dragged and pasted text is handled as usual. */
export const fileDrop = (onFiles: (files: File[]) => void) => ({
  onDragOver(event: DragEvent) {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  },
  onDrop(event: DragEvent) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    onFiles([...event.dataTransfer.files]);
  },
  onPaste(event: ClipboardEvent) {
    const { files, types } = event.clipboardData ?? {};
    // Office programs add a picture to copied text: then the text is meant.
    if (!files?.length || types?.includes('text/plain')) return;
    event.preventDefault();
    onFiles([...files]);
  },
});

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
              <progress value={sent} max={size} aria-label={t('{name} is uploaded', { name })} />
            ) : (
              <small role={problem ? 'alert' : undefined}>
                {problem && <span class="visually-hidden">{name}: </span>}
                {problem ?? formatBytes(size, textLocale())}
              </small>
            )}
          </span>
          {canRetry && (
            <button
              type="button"
              aria-label={t('Try again to upload {name}', { name })}
              onClick={() => attachments.retry(id, key)}
            >
              {t('Try again')}
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-label={status === 'uploading' ? t('Cancel {name}', { name }) : t('Remove {name}', { name })}
            title={status === 'uploading' ? t('Cancel') : t('Remove')}
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
