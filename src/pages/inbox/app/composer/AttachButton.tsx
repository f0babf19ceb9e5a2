// The button that chooses files. Files are also pasted and dropped into the composer: fileDrop.
import { useRef } from 'preact/hooks';
import { Icon } from '../components/Icon.tsx';

export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label="Attach files"
        title="Attach files"
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
