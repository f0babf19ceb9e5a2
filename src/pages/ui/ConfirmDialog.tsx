// Asks before something that cannot be undone.
import type { ComponentChildren } from 'preact';
import { Dialog } from './Dialog.tsx';
import { useRequests } from './requests.ts';
import { t } from './texts.ts';

interface Props {
  title: string;
  children: ComponentChildren;
  /** The text of the button that does it, such as "Delete the bot". */
  button: string;
  /** Rejects with the error of the request, which is shown; the dialog stays open then. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

export function ConfirmDialog({ title, children, button, onConfirm, onClose }: Props) {
  const requests = useRequests();
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <p class="problem" role="alert">
        {requests.message}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="danger"
          aria-disabled={requests.isBusy}
          onClick={async () => {
            if (await requests.run(onConfirm)) onClose();
          }}
        >
          {button}
        </button>
        <button type="button" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </Dialog>
  );
}
