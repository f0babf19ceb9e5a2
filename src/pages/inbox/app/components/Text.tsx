// A text with its line breaks and links. Texts of visitors are never Markdown here.
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { findLinks } from '../../../../widget/extras/media/find-links.ts';
import { Icon } from './Icon.tsx';

export function Text({ text }: { text: string }) {
  return (
    <p class="text" dir="auto">
      {findLinks(toDrawable(text)).map((piece) =>
        typeof piece === 'string' ? piece : <OutLink href={piece.href}>{piece.text}</OutLink>,
      )}
    </p>
  );
}

/** A link that leaves the inbox. The other site does not learn where it was. */
export function OutLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      <Icon name="link" />
      <span class="visually-hidden"> (new tab)</span>
    </a>
  );
}
