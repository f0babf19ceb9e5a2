// An external link: it opens a new tab without `opener`, and only a safe address.
import type { ComponentChildren } from 'preact';
import { strings } from '../strings.ts';
import { followable } from './addresses.ts';

interface Props {
  href: unknown;
  class?: string;
  part?: string;
  children: ComponentChildren;
}

/** Without a safe address, it shows the content without a link. */
export function Link({ href, children, ...look }: Props) {
  const address = followable(href);
  if (!address) return <span {...look}>{children}</span>;
  return (
    <a {...look} href={address} target="_blank" rel="noopener noreferrer nofollow" title={strings.newTab}>
      {children}
    </a>
  );
}

/** A medium that cannot be loaded: its name, and a link to its address. */
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
