// What another answer and an edited message have in common.
import type { Session } from '../../chat/session/session.ts';
import type { Row } from '../../chat/store/store.ts';
import { strings } from '../strings.ts';

/** Whether a tool of an answer has done something, which another answer does not undo. */
export const hasActed = ({ parts = [] }: Row): boolean =>
  parts.some(({ type, state }) => type === 'tool' && state === 'output-available');

/** Sends a message that supersedes an earlier one. `control`: it is removed, and the focus must not move to the page. */
export function answerAgain(session: Session, control: Element | null, send: () => void): void {
  control?.closest<HTMLElement>('.viewport')?.focus({ preventScroll: true });
  session.context.announce(strings.answeringAgain);
  send();
}
