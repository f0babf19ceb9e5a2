// The view of a one-time link. The link is used when the member presses a button, so that a mail scanner that opens the
// address does not use it up.
import { button, create, show } from './elements.ts';
import { createForm } from './form.ts';
import { newPassword } from './password-form.ts';
import { call } from './session-api.ts';

/** The purpose and the token in the fragment of the address. */
export interface Link {
  purpose: 'invitation' | 'sign-in' | 'reset';
  token: string;
}

/** Reads `#PURPOSE=TOKEN`; undefined for any other fragment. */
export function readLink(fragment: string): Link | undefined {
  const [, purpose, token = ''] = /^#(invitation|sign-in|reset)=([\w-]+)$/.exec(fragment) ?? [];
  return purpose ? { purpose: purpose as Link['purpose'], token } : undefined;
}

const texts: Record<Link['purpose'], { heading: string; action: string }> = {
  invitation: { heading: 'Accept the invitation', action: 'Save and sign in' },
  'sign-in': { heading: 'Sign in with the link', action: 'Sign in' },
  reset: { heading: 'Set a new password', action: 'Save and sign in' },
};

/**
 * Shows the view. `onDone` is called when the member has signed in, `onLeave` when they want to sign in in another way.
 */
export function showLink({ purpose, token }: Link, onDone: () => void, onLeave: () => void): void {
  const { heading, action } = texts[purpose];
  const hasPassword = purpose !== 'sign-in';
  const form = createForm(
    hasPassword ? [newPassword] : [],
    ({ isFilled, run, textOf }) => {
      if (hasPassword && !isFilled(['password'])) return;
      void run(async () => {
        await call('POST', '/link/use', { token, ...(hasPassword ? { password: textOf('password') } : {}) });
        onDone();
      });
    },
    button(action, 'main'),
    create('div', { class: 'row' }, button('Sign in in another way', 'quiet', onLeave)),
  );
  show(heading, [form.element], { isFirst: true });
}
