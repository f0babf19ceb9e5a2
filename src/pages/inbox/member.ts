// The view of a member who has signed in: their account and their sessions. Loaded after the sign-in, like all views
// that need a session.
import type { Session, SignedIn } from '../../protocol/types/session.ts';
import { button, create, show } from './elements.ts';
import { createPasswordForm } from './form.ts';
import { call, Refusal } from './session-api.ts';

export interface MemberActions {
  /** The session has ended; with the reason if it is not the member's wish. */
  onEnd(text?: string): void;
  /** Opens the inbox; undefined for a member who may not read it. */
  onInbox?(): void;
}

/** Shows the view. `text`: why the member sees it, if it is not their wish. */
export async function showMember(
  { member, workspace, hasPassword }: SignedIn,
  { onEnd, onInbox }: MemberActions,
  { isFirst = false, text }: { isFirst?: boolean; text?: string | undefined } = {},
): Promise<void> {
  const status = create('div', { class: 'notice', role: 'status' });
  const list = create('ul', { class: 'sessions' });

  /** Runs a request. If the session has ended in the meantime, the sign-in is shown. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) onEnd('The session has ended. Sign in again.');
      else
        status.textContent = error instanceof Refusal ? error.message : 'Something failed. Reload the page.';
    }
  }

  const signOut = () =>
    attempt(async () => {
      await call('DELETE', '');
      onEnd();
    });

  async function update(): Promise<void> {
    const { sessions } = await call<{ sessions: Session[] }>('GET', '/all');
    list.replaceChildren(...sessions.map(rowOf));
  }

  function rowOf({ id, userAgent, seenAt, network, isCurrent }: Session): HTMLLIElement {
    const name = browserOf(userAgent);
    const seen = isCurrent ? 'This browser' : `Last used ${dateOf(seenAt)}`;
    const text = create(
      'div',
      {},
      create('strong', {}, name),
      create('br'),
      [seen, network].filter(Boolean).join(', '),
    );
    if (isCurrent) return create('li', {}, text);
    const end = button('End', 'plain', () => {
      void attempt(async () => {
        await call('DELETE', `/${id}`);
        await update();
        status.textContent = `The session of ${name} has ended.`;
        // The button is gone.
        heading.focus();
      });
    });
    end.setAttribute('aria-label', `End the session of ${name}`);
    return create('li', {}, text, end);
  }

  const heading = create('h2', { tabindex: '-1' }, 'Your sessions');
  const name = member.displayName ?? member.email;
  show(
    'Account',
    [
      status,
      create(
        'dl',
        {},
        ...[
          ['Name', name],
          ['E-mail address', member.email],
          ['Role', member.role],
          ['Workspace', workspace.name],
        ].flatMap(([term, text]) => [create('dt', {}, term), create('dd', {}, text)]),
      ),
      heading,
      list,
      hasPassword ? createPasswordForm(() => attempt(update)) : undefined,
      onInbox && button('Back to the inbox', 'main', onInbox),
      button('Sign out', onInbox ? 'plain' : 'main', () => void signOut()),
    ],
    { isFirst },
  );
  // Announced only if it comes after its region.
  status.textContent = text ?? '';
  await attempt(update);
}

const dateOf = (iso: string) =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const browsers = [
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A short name of a browser, such as "Firefox on Linux". */
function browserOf(userAgent: string): string {
  const find = (names: readonly (readonly [part: string, name: string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const system = find(systems);
  return `${find(browsers) ?? 'Another browser'}${system ? ` on ${system}` : ''}`;
}
