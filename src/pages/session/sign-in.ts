// The views to sign in: e-mail address and password, a link by mail, another service; and the view of a one-time link.
import type { SignInOptions } from '../../protocol/types/session.ts';
import { t } from '../ui/texts.ts';
import { button, create, show } from './elements.ts';
import { createForm, type Field, newPassword } from './form.ts';
import { call } from './session-api.ts';

const displayName = (): Field => ({
  name: 'displayName',
  label: t('Your name'),
  type: 'text',
  autocomplete: 'name',
  hint: t('Visitors see it when you answer.'),
});
const email = (): Field => ({
  name: 'email',
  label: t('E-mail address'),
  type: 'email',
  autocomplete: 'username',
});
const password = (): Field => ({
  name: 'password',
  label: t('Password'),
  type: 'password',
  autocomplete: 'current-password',
});

/** A member of several workspaces signs in to the one in the address: `/console/?workspace=ws_…`. */
const workspaceId = new URLSearchParams(location.search).get('workspace');
const inWorkspace = workspaceId ? { workspaceId } : {};

/** Shows the view to sign in. `onDone` is called when the member has signed in; `text` says why they have to. */
export function showSignIn(
  options: SignInOptions,
  onDone: () => void,
  { text, isFirst = false }: { text?: string | undefined; isFirst?: boolean } = {},
): void {
  const links = options.link
    ? create(
        'div',
        { class: 'row' },
        button(t('Send me a link'), 'quiet', () => sendLink('sign-in')),
        button(t('Forgot your password?'), 'quiet', () => sendLink('reset')),
      )
    : undefined;
  const form = createForm(
    [email(), password()],
    ({ isFilled, run, textOf }) => {
      if (!isFilled(['email', 'password'])) return;
      void run(async () => {
        const input = { email: textOf('email'), password: textOf('password'), ...inWorkspace };
        await call('POST', '/password', input);
        onDone();
      });
    },
    button(t('Sign in'), 'main'),
    ...(links ? [links] : []),
  );

  function sendLink(purpose: 'sign-in' | 'reset'): void {
    if (!form.isFilled(['email'])) return;
    void form.run(async () => {
      await call('POST', '/link', { email: form.textOf('email'), purpose, ...inWorkspace });
      form.inform(
        t(
          'If the address belongs to a member, a mail with a link is on its way. The link is valid for 15 minutes.',
        ),
      );
    });
  }

  const { oidc: name = '' } = options;
  const other = createForm(
    [],
    ({ run }) => {
      void run(async () => {
        const { url } = await call<{ url: string }>('POST', '/oidc', inWorkspace);
        location.assign(url);
      });
    },
    button(t('Sign in with {service}', { service: name }), undefined),
  );
  // A refusal by the other service is shown at its button.
  if (text) (options.password ? form : other).inform(text);
  const parts = [options.password ? form.element : undefined, name ? other.element : undefined];
  show(t('Sign in'), parts, { isFirst, focused: options.password && !isFirst ? form.first : undefined });
}

/** The purpose and the token in the fragment of the address. */
export interface Link {
  purpose: 'invitation' | 'sign-in' | 'reset' | 'setup';
  token: string;
}

/** Reads `#PURPOSE=TOKEN`; undefined for any other fragment. */
export function readLink(fragment: string): Link | undefined {
  const [, purpose, token = ''] = /^#(invitation|sign-in|reset|setup)=([\w-]+)$/.exec(fragment) ?? [];
  return purpose ? { purpose: purpose as Link['purpose'], token } : undefined;
}

const headings = (): Record<Link['purpose'], string> => ({
  invitation: t('Accept the invitation'),
  'sign-in': t('Sign in with the link'),
  reset: t('Set a new password'),
  setup: t('Welcome'),
});

/**
 * Shows the view of a one-time link. The link is used when the member presses a button, so that a mail scanner that opens the
 * address does not use it up. `hasPasswords`: whether members of this server have passwords. `onDone` is called when the member has
 * signed in, `onLeave` when they want to sign in in another way.
 */
export function showLink(
  { purpose, token }: Link,
  hasPasswords: boolean,
  onDone: () => void,
  onLeave: () => void,
): void {
  const isSetup = purpose === 'setup';
  const hasPassword = purpose !== 'sign-in' && hasPasswords;
  const fields = [
    ...(isSetup ? [displayName(), email()] : []),
    ...(hasPassword ? [isSetup ? newPassword(t('Password')) : newPassword()] : []),
  ];
  const names = fields.map(({ name }) => name);
  const form = createForm(
    fields,
    ({ isFilled, run, textOf }) => {
      if (!isFilled(names)) return;
      void run(async () => {
        await call('POST', '/link/use', {
          token,
          ...Object.fromEntries(names.map((name) => [name, textOf(name)])),
        });
        onDone();
      });
    },
    button(purpose === 'sign-in' ? t('Sign in') : t('Save and sign in'), 'main'),
    // The owner has no other way yet.
    ...(isSetup
      ? []
      : [create('div', { class: 'row' }, button(t('Sign in in another way'), 'quiet', onLeave))]),
  );
  const intro = isSetup ? create('p', {}, t('You own this chat. Choose how you sign in.')) : undefined;
  show(headings()[purpose], [intro, form.element], { isFirst: true });
}
