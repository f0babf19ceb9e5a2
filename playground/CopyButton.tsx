// A button that copies a text and says so.
import { useState } from 'preact/hooks';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [state, setState] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setState('Copied');
    } catch {
      // No permission, or a page without https.
      setState('Not copied: select it and copy by hand');
    }
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setState('')} data-done={state === 'Copied'}>
      <span role="status">{state}</span>
      <span hidden={state !== ''}>{label}</span>
    </button>
  );
}
