// Links to screens of the console.
import type { ComponentChildren } from 'preact';
import { AddressLink } from '../ui/AddressLink.tsx';
import { type ConsoleRoute, consoleAddressOf } from './route.ts';

/** A screen, or the query of an address of this page. */
export type Target = ConsoleRoute | string;

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
