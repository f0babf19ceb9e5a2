// A button that copies a text and reports the result.
import { useState } from 'preact/hooks';

const failed = 'Copying failed: select the text and copy it';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [status, setStatus] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setStatus('Copied');
    } catch {
      // No permission, or no secure context.
      setStatus(failed);
    }
  };
  return (
    <>
      <button type="button" onClick={copy} onBlur={() => setStatus('')} data-done={status === 'Copied'}>
        {status === 'Copied' ? status : label}
      </button>
      <span role="status" class={status === failed ? 'problem' : 'visually-hidden'}>
        {status}
      </span>
    </>
  );
}
