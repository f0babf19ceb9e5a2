// A value that the server returns once, such as a token, with a button that copies it.
import { CopyButton } from './CopyButton.tsx';
import { t } from './texts.ts';
import './style/one-time.css';

export function OneTimeValue({ label, value }: { label: string; value: string }) {
  return (
    <div class="one-time">
      <label>
        {label}
        <input
          type="text"
          readOnly
          value={value}
          spellcheck={false}
          dir="ltr"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <CopyButton label={t('Copy')} text={() => value} />
    </div>
  );
}
