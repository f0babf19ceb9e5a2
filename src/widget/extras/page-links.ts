// Links of messages to a part of the page that contains the chat: they open in the same tab, as the page's own links do.
import type { Widget } from '../launcher-chat-interface.ts';

/**
 * Decides for each link that the visitor reaches where it opens: a page can change its address after the message was drawn. The
 * browser follows the link, so that the page, its history and the keys of the visitor act as usual.
 */
export function followPageLinks({ frame, signal, close }: Widget): void {
  for (const type of ['pointerover', 'focusin', 'click'] as const) {
    const onEvent = ({ target }: Event) => {
      // The title of those links says that they open a new tab.
      const link = (target as Element).closest<HTMLAnchorElement>('a[title]');
      if (!link) return;
      const isOfPage = !!link.hash && link.href === new URL(link.hash, location.href).href;
      link.target = isOfPage ? '_self' : '_blank';
      if (!isOfPage) return;
      link.title = '';
      // The page is inert while the window covers it (accessibility/page-lock.ts).
      if (type === 'click' && document.body.inert) close();
    };
    frame.addEventListener(type, onEvent, { signal });
  }
}
