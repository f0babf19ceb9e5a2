// The views to sign in: e-mail address and password, a link by mail, another service; and the view of a one-time link.
import type { SignInOptions } from '../../protocol/types/session.ts';
import { button, create, show } from './elements.ts';
import { createForm, type Field, newPassword } from './form.ts';
import { call } from './session-api.ts';

// The view of a one-time link. The link is used when the member presses a button, so that a mail scanner that opens the
// address does not use it up.

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

const email: Field = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' };
const password: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
};

/** A member of several workspaces signs in to the one in the address: `/inbox/?workspace=ws_…`. */
const workspaceId = new URLSearchParams(location.search).get('workspace');
const inWorkspace = workspaceId ? { workspaceId } : {};

const sent =
  'If the address belongs to a member, a mail with a link is on its way. The link is valid for 15 minutes.';

/** Shows the view. `onDone` is called when the member has signed in; `text` says why they have to. */
export function showSignIn(
  options: SignInOptions,
  onDone: () => void,
  { text, isFirst = false }: { text?: string | undefined; isFirst?: boolean } = {},
): void {
  const links = options.link
    ? create(
        'div',
        { class: 'row' },
        button('Send me a link', 'quiet', () => sendLink('sign-in')),
        button('Forgot your password?', 'quiet', () => sendLink('reset')),
      )
    : undefined;
  const form = createForm(
    [email, password],
    ({ isFilled, run, textOf }) => {
      if (!isFilled(['email', 'password'])) return;
      void run(async () => {
        const input = { email: textOf('email'), password: textOf('password'), ...inWorkspace };
        await call('POST', '/password', input);
        onDone();
      });
    },
    button('Sign in', 'main'),
    ...(links ? [links] : []),
  );

  function sendLink(purpose: 'sign-in' | 'reset'): void {
    if (!form.isFilled(['email'])) return;
    void form.run(async () => {
      await call('POST', '/link', { email: form.textOf('email'), purpose, ...inWorkspace });
      form.inform(sent);
    });
  }

  const name = options.oidc;
  const other = createForm(
    [],
    ({ run }) => {
      void run(async () => {
        const { url } = await call<{ url: string }>('POST', '/oidc', inWorkspace);
        location.assign(url);
      });
    },
    button(`Sign in with ${name}`, 'plain'),
  );
  // A refusal by the other service is shown at its button.
  if (text) (options.password ? form : other).inform(text);
  const parts = [options.password ? form.element : undefined, name ? other.element : undefined];
  show('Sign in', parts, { isFirst, focused: options.password && !isFirst ? form.first : undefined });
}
