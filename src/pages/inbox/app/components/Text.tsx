// A text with its line breaks and links. Texts of visitors are never Markdown here.
import type { ComponentChildren } from 'preact';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { findLinks } from '../../../../widget/media/payloads/find-links.ts';
import type { Colleague } from '../api/inbox-api.ts';
import { findMentions } from '../mentions/mentions.ts';
import { Icon } from './Icon.tsx';

interface Props {
  text: string;
  /** The colleagues whose mentions are marked. */
  mentioned?: readonly Colleague[];
}

export function Text({ text, mentioned = [] }: Props) {
  const drawable = toDrawable(text);
  const pieces: ComponentChildren[] = [];
  let end = 0;
  for (const { from, to } of findMentions(drawable, mentioned)) {
    pieces.push(linked(drawable.slice(end, from)), <b class="mention">{drawable.slice(from, to)}</b>);
    end = to;
  }
  return (
    <p class="text" dir="auto">
      {pieces}
      {linked(drawable.slice(end))}
    </p>
  );
}

const linked = (text: string): ComponentChildren =>
  findLinks(text).map((piece) =>
    typeof piece === 'string' ? piece : <OutLink href={piece.href}>{piece.text}</OutLink>,
  );

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
