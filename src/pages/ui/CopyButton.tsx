// A button that copies a text and reports the result.
import { useState } from 'preact/hooks';
import { t } from './texts.ts';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [status, setStatus] = useState<'' | 'copied' | 'failed'>('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setStatus('copied');
    } catch {
      // No permission, or no secure context.
      setStatus('failed');
    }
  };
  return (
    <>
      <button type="button" onClick={copy} onBlur={() => setStatus('')} data-done={status === 'copied'}>
        {status === 'copied' ? t('Copied') : label}
      </button>
      <span role="status" class={status === 'failed' ? 'problem' : 'visually-hidden'}>
        {status === 'copied' && t('Copied')}
        {status === 'failed' && t('Copying failed: select the text and copy it')}
      </span>
    </>
  );
}
