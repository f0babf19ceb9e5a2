// A link to another pane: a plain address for new tabs, and no reload for the others.
import type { ComponentChildren } from 'preact';
import type { Inbox } from '../inbox.ts';
import { addressOf, type Route } from '../state/route.ts';

interface Props {
  inbox: Inbox;
  to: Route;
  /** The link leads up: it is the back button if the member came from there. */
  isBack?: boolean;
  /** The back button does not return to what was shown before. */
  isReplacing?: boolean;
  /** Called after the change of the address. */
  onOpen?(): void;
  onFocus?(): void;
  class?: string;
  tabIndex?: number;
  'aria-current'?: 'page' | 'true' | undefined;
  'aria-label'?: string;
  'data-id'?: string;
  'data-waiting'?: boolean;
  children?: ComponentChildren;
}

export function Link({ inbox, to, isBack = false, isReplacing = false, onOpen, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={addressOf(to)}
      onClick={(event: MouseEvent) => {
        // A new tab or window is the wish of the member.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
        event.preventDefault();
        if (isBack) inbox.router.leave(to);
        else inbox.router.go(to, { replace: isReplacing });
        onOpen?.();
      }}
    >
      {children}
    </a>
  );
}
