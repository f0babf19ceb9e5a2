// The buttons of an entry of the settings: beside the entry, and below the form that adds or changes it.
import { t } from '../../../ui/texts.ts';
import '../style/settings-forms.css';

interface EntryProps {
  /** Of the entry, for screen readers. */
  name: string;
  isBusy: boolean;
  onChange(): void;
  onDelete(): void;
}

export function EntryButtons({ name, isBusy, onChange, onDelete }: EntryProps) {
  return (
    <p class="buttons">
      <button type="button" aria-label={t('Change {name}', { name })} onClick={onChange}>
        {t('Change')}
      </button>
      <button
        type="button"
        aria-label={t('Delete {name}', { name })}
        class="danger"
        aria-disabled={isBusy}
        onClick={onDelete}
      >
        {t('Delete')}
      </button>
    </p>
  );
}

interface FormProps {
  label: string;
  isDisabled: boolean;
  onCancel: (() => void) | undefined;
}

export function FormButtons({ label, isDisabled, onCancel }: FormProps) {
  return (
    <p class="buttons">
      <button type="submit" class="main" aria-disabled={isDisabled}>
        {label}
      </button>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      )}
    </p>
  );
}
