// Texts of messages: plain text with line breaks and links, as of visitors, and the Markdown of bots.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { findLinks } from '../../../../widget/media/payloads/find-links.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import type { Colleague } from '../api/inbox-api.ts';
import { findMentions } from '../composer/mentions.ts';

interface Props {
  text: string;
  /** The colleagues whose mentions are marked. */
  mentioned?: readonly Colleague[];
}

/** A plain text with its line breaks and links. */
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
      <span class="visually-hidden"> {t('(new tab)')}</span>
    </a>
  );
}

type Module = typeof import('../../../../widget/markdown/main.ts');

/** Undefined until it has loaded, null if it could not be. */
const loaded = signal<Module | null | undefined>(undefined);
let isRequested = false;

function request(): void {
  if (isRequested) return;
  isRequested = true;
  import('../../../../widget/markdown/main.ts').then(
    (module) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(module.css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      loaded.value = module;
    },
    () => {
      loaded.value = null;
    },
  );
}

/** Draws the Markdown of bots with the bundle of the widget, which loads with the first Markdown message. */
export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  const module = loaded.value;
  useEffect(() => {
    request();
    if (!module || !element.current) return;
    const view = module.createMessageView(element.current, {
      // Pictures are links: style/transcript.css hides the button that loads one.
      images: 'listed',
      imageOrigins: [],
      strings: { ...module.strings, newTab: t('Opens in a new tab') },
    });
    view.update(text, false);
    return () => view.dispose();
  }, [module, text]);
  return module ? <div class="markdown" dir="auto" ref={element} /> : <Text text={text} />;
}
