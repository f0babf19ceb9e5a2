// A link to another address of the same page: a plain address for new tabs, and no reload for the others.
import type { ComponentChildren } from 'preact';

/** Shows what is at an address of this page, a query or ''. `replace`: the back button does not return to what was shown before. */
export function openAddress(address: string, { replace = false } = {}): void {
  const target = address || location.pathname;
  if (replace) history.replaceState(history.state, '', target);
  else if (address !== location.search) history.pushState({ from: location.search }, '', target);
  // The parts of the page read the address, as after the back button.
  dispatchEvent(new PopStateEvent('popstate'));
}

export interface AddressLinkProps {
  /** A query, which begins with `?`, or ''. */
  address: string;
  class?: string | undefined;
  'aria-current'?: 'page' | 'step' | undefined;
  children: ComponentChildren;
}

export function AddressLink({ address, children, ...rest }: AddressLinkProps) {
  return (
    <a
      {...rest}
      href={address || '?'}
      onClick={(event: MouseEvent) => {
        // A new tab or window is the wish of the member.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
        event.preventDefault();
        openAddress(address);
      }}
    >
      {children}
    </a>
  );
}
