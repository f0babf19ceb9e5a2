// The buttons of an entry of the settings: below the entry, and below the form that adds or changes it.

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
      <button type="button" onClick={onChange}>
        Change<span class="visually-hidden"> {name}</span>
      </button>
      <button type="button" aria-disabled={isBusy} onClick={onDelete}>
        Delete<span class="visually-hidden"> {name}</span>
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
          Cancel
        </button>
      )}
    </p>
  );
}
