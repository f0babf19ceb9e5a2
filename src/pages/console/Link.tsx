// Links to screens of the console.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AddressLink } from '../ui/AddressLink.tsx';
import { type ConsoleRoute, consoleAddressOf } from './route.ts';

/** A screen, or the query of an address of this page. */
type Target = ConsoleRoute | string;

export const addressOfTarget = (to: Target): string => (typeof to === 'string' ? to : consoleAddressOf(to));

interface Props {
  to: Target;
  class?: string;
  'aria-current'?: 'page' | 'step' | undefined;
  children: ComponentChildren;
}

export function Link({ to, ...rest }: Props) {
  return <AddressLink {...rest} address={addressOfTarget(to)} />;
}

interface TabsProps {
  label: string;
  tabs: readonly { name: string; to: Target; isCurrent: boolean }[];
}

/** Links to the parts of a screen. */
export function TabLinks({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.name;
  // On a phone, they are wider than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
  return (
    <nav class="tab-links" aria-label={label} ref={nav}>
      {tabs.map(({ name, to, isCurrent }) => (
        <Link key={name} to={to} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
