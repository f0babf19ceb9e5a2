// A button that copies a text and says so.
import { useState } from 'preact/hooks';

const failed = 'Not copied: select it and copy by hand';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      // No permission, or a page without https.
      setSaid(failed);
    }
  };
  return (
    <>
      <button type="button" onClick={copy} onBlur={() => setSaid('')} data-done={said === 'Copied'}>
        {said === 'Copied' ? said : label}
      </button>
      <span role="status" class={said === failed ? 'problem' : 'heard'}>
        {said}
      </span>
    </>
  );
}
