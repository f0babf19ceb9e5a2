// The contact card of the header: contact addresses of the site's owner, and its legal pages.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ResolvedConfiguration } from '../../../protocol/page-api/config.ts';
import type { ViewProps } from '../../chat/view.ts';
import { useEscape } from '../../dialog-keys.ts';
import { Icon } from '../../icon.tsx';
import { icons } from './icons.ts';
import { closeOnOutsidePress, openerOf } from './popover.ts';
import { strings } from './strings.ts';

/** The fields of the card in order, and the scheme for a plain number or address. */
const kinds = {
  phone: 'tel:',
  email: 'mailto:',
  website: 'https://',
  termsOfService: 'https://',
  privacyPolicy: 'https://',
} as const;
type Field = keyof typeof kinds;
const fields = Object.keys(kinds) as Field[];

export interface ContactCard {
  field: Field;
  title: string;
  /** Undefined if a visitor may not follow the address. */
  href?: string;
}

/** The lines of the card. A link without an address shows only its title, one without a title its address. */
export function contactsOf(settings: ResolvedConfiguration): ContactCard[] {
  return fields.flatMap((field) => {
    const { title, link } = settings[field] ?? {};
    if (!title && !link) return [];
    const href = link && addressOf(String(link).trim(), kinds[field]);
    const name = String(title || link).replace(/^(tel|mailto):/, '');
    return [{ field, title: name, ...(href && { href }) }];
  });
}

function addressOf(link: string, scheme: string): string | undefined {
  try {
    // Spaces make a number readable, but are not part of it.
    const plain = scheme === 'tel:' ? link.replace(/\s/g, '') : link;
    const { href, protocol } = new URL(/^[a-z][a-z\d+.-]*:/i.test(plain) ? plain : scheme + plain);
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

export function ContactCard({ store, onClose }: ViewProps & { onClose(): void }) {
  const card = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const end = closeOnOutsidePress(card.current, onClose);
    return () => end.abort();
  }, []);
  useLayoutEffect(() => card.current?.querySelector('a')?.focus(), []);
  // Also on the button: Escape closes the card, and not the window.
  useEscape(
    () => card.current?.parentElement,
    () => {
      openerOf(card.current)?.focus();
      onClose();
    },
  );
  return (
    <ul
      ref={card}
      class="menu contact"
      part="contact-card"
      // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
      role="list"
      aria-label={strings.contact}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget && !card.current?.parentElement?.contains(relatedTarget as Node)) onClose();
      }}
    >
      {contactsOf(store.state.configuration).map(({ field, title, href }) => (
        <li key={field}>
          {href ? (
            <a href={href} target="_blank" rel="noopener noreferrer">
              <Icon path={icons[field]} />
              <bdi>{title}</bdi>
            </a>
          ) : (
            <span>
              <Icon path={icons[field]} />
              <bdi>{title}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
