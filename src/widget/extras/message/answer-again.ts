// Common code of another answer and an edited message.
import type { Session } from '../../chat/session/session-interface.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { strings } from '../../media/strings.ts';

/** Whether a tool of an answer has done something, which another answer does not undo. */
export const hasActed = ({ parts = [] }: Row): boolean =>
  parts.some(({ type, state }) => type === 'tool' && state === 'output-available');

/** Sends the last message of the visitor before a row again, in its place if the server can do that. */
export function askAgain({ store, session }: Pick<ViewProps, 'store' | 'session'>, key: string): void {
  const { rows } = store.state;
  const end = rows.findIndex((row) => row.key === key);
  const last = rows.slice(0, Math.max(0, end)).findLast(({ side }) => side === 'visitor');
  const supersedes = store.has('supersedes') ? last?.id : undefined;
  // A message that fails stays in the transcript with its text.
  if (last) session.send(last.payload, last.answers, supersedes).catch(() => {});
}

/** Sends a message that supersedes an earlier one. `control`: it is removed, and the focus must not move to the page. */
export function answerAgain(session: Session, control: Element | null, send: () => void): void {
  control?.closest<HTMLElement>('.viewport')?.focus({ preventScroll: true });
  session.context.announce(strings.answeringAgain);
  send();
}

/** The beginning of a message, which distinguishes its buttons for screen readers. */
export const messageLabel = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 40);
