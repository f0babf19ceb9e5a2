// Adds files by a button, paste, or drag and drop.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { fileLimits } from './file-limits.ts';
import { attach } from './uploads.ts';

export function AttachButton({ store, session, widget }: ViewProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isDragging, setIsDragging] = useState(false);
  const take = (files: FileList | null | undefined) => attach(session.context, [...(files ?? [])]);
  const isRefused = () => store.state.connection === 'refused';
  /** The home screen or a dialog is above the composer: the visitor would not see the files. */
  const isOff = () => isRefused() || !!picker.current?.closest('[inert]');

  useEffect(() => {
    const end = new AbortController();
    const listen = <T extends 'paste' | 'dragover' | 'dragleave' | 'drop'>(
      type: T,
      listener: (event: HTMLElementEventMap[T]) => void,
    ) => widget.frame.addEventListener(type, listener, { signal: end.signal });
    /** Handles only drags of files: dragged text is dropped as usual. The browser would open files that nobody takes. */
    const withFiles = (act: (event: DragEvent) => void) => (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      act(event);
    };
    listen(
      'dragover',
      withFiles(() => setIsDragging(!isOff())),
    );
    listen('dragleave', ({ relatedTarget }) => {
      if (!widget.frame.contains(relatedTarget as Node | null)) setIsDragging(false);
    });
    listen(
      'drop',
      withFiles(({ dataTransfer }) => {
        setIsDragging(false);
        if (!isOff()) take(dataTransfer?.files);
      }),
    );
    listen('paste', (event) => {
      // Office programs add a picture to copied text: then the text is meant.
      const { files, types } = event.clipboardData ?? {};
      if (!files?.length || types?.includes('text/plain') || isOff()) return;
      event.preventDefault();
      take(files);
    });
    return () => end.abort();
  }, [widget]);

  return (
    <>
      <button
        type="button"
        class="tool"
        part="attach"
        aria-label={strings.attach}
        title={strings.attach}
        disabled={isRefused()}
        onClick={() => picker.current?.click()}
      >
        <Icon path={icons.attach} />
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={fileLimits(session.context).types.at(-1)?.join()}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // Otherwise choosing the same file again would not fire an event.
          currentTarget.value = '';
        }}
      />
      {isDragging && <p class="drop">{strings.drop}</p>}
    </>
  );
}
