// The form in which a member who has signed in changes their password. It is folded until it is wanted.
import { button, create } from './elements.ts';
import { createForm, type Field } from './form.ts';
import { call } from './session-api.ts';

/** The field for a password that a member chooses. */
export const newPassword: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 12 characters, such as four words that do not belong together.',
};

const currentPassword: Field = {
  name: 'currentPassword',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
};

/** Creates the form. `onChanged` is called when the password has changed, which ends all other sessions. */
export function createPasswordForm(onChanged: () => Promise<void>): HTMLElement {
  const { element } = createForm(
    [currentPassword, newPassword],
    ({ isFilled, run, textOf, inform }) => {
      if (!isFilled(['currentPassword', 'password'])) return;
      void run(async () => {
        await call('PUT', '/password', {
          currentPassword: textOf('currentPassword'),
          password: textOf('password'),
        });
        element.reset();
        inform('Your password has changed. Your other sessions have ended.');
        await onChanged();
      });
    },
    button('Change the password', 'main'),
  );
  return create('details', {}, create('summary', {}, 'Change your password'), element);
}
