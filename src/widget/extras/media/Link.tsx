// A link out of the chat: in a new tab, without a way back, and only where it is safe to go.
import type { ComponentChildren } from 'preact';
import { strings } from '../strings.ts';
import { followable } from './addresses.ts';

interface Props {
  href: unknown;
  class?: string;
  part?: string;
  children: ComponentChildren;
}

/** Without a safe address: the same words, not as a link. */
export function Link({ href, children, ...look }: Props) {
  const address = followable(href);
  if (!address) return <span {...look}>{children}</span>;
  return (
    <a {...look} href={address} target="_blank" rel="noopener noreferrer nofollow" title={strings.newTab}>
      {children}
    </a>
  );
}

/** What is left of a medium that cannot be loaded: its name, and its address to try elsewhere. */
export function Broken({ name, address }: { name: string; address: unknown }) {
  return (
    <p class="broken" part="broken">
      {strings.broken}{' '}
      <Link href={address}>
        <bdi>{name}</bdi>
      </Link>
    </p>
  );
}
