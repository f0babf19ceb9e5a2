// Pictures of other servers: decides when one is loaded, and shows a placeholder until then. No address becomes the
// source of a picture before that decision; nothing is prefetched. Only http and https.
import { append, replace } from './insert.ts';
import { decorateLink } from './links.ts';
import type { MarkdownOptions } from './types.ts';

export interface Pictures {
  /** Replaces a link by a picture, by a button for it, or by its text. */
  decorate(link: HTMLAnchorElement): void;
  /** Loads the picture of this button. */
  show(button: Element): void;
  /** A picture has loaded or failed: after a failure its link is shown again. */
  settle(image: Element, isLoaded: boolean): void;
}

export function createPictures(options: MarkdownOptions): Pictures {
  /** Requested by the visitor; kept so that rendering a block again does not hide them. */
  const shown = new Set<string>();
  const failed = new Set<string>();

  const mayLoad = (url: URL) =>
    shown.has(url.href) ||
    options.images === 'all' ||
    (options.images === 'listed' && options.imageOrigins.includes(url.origin));

  return {
    decorate(link) {
      const url = parse(link.getAttribute('href'));
      const doc = link.ownerDocument;
      if (!url) {
        replace(link, doc.createTextNode(link.textContent ?? ''));
        return;
      }
      const alt = link.textContent ?? '';
      link.textContent = alt || nameOf(url);
      decorateLink(link, options.strings.newTab);
      if (failed.has(url.href)) return;
      if (mayLoad(url)) {
        replace(link, createImage(doc, url, alt));
        return;
      }
      const box = doc.createElement('span');
      box.className = 'picture';
      const button = doc.createElement('button');
      button.type = 'button';
      button.className = 'show';
      button.textContent = options.strings.showImage.replace('{host}', () => url.host);
      replace(link, box);
      // The link keeps the text of the picture, next to the button.
      append(box, [button, doc.createTextNode(' '), link]);
      if (alt) button.title = alt;
    },

    show(button) {
      const link = button.nextElementSibling;
      const url = parse(link?.getAttribute('href') ?? null);
      if (!url || !link) return;
      shown.add(url.href);
      const alt = button.getAttribute('title') ?? '';
      const image = createImage(document, url, alt);
      image.tabIndex = -1;
      const box = button.closest('.picture');
      if (box) replace(box, image);
      // The button had the focus and was removed.
      image.focus({ preventScroll: true });
    },

    settle(image, isLoaded) {
      image.classList.remove('loading');
      const url = parse(image.getAttribute('src'));
      if (isLoaded || !url) return;
      failed.add(url.href);
      const link = document.createElement('a');
      link.href = url.href;
      link.textContent = image.getAttribute('alt') || nameOf(url);
      decorateLink(link, options.strings.newTab);
      replace(image, link);
    },
  };
}

function createImage(doc: Document, url: URL, alt: string): HTMLImageElement {
  const image = doc.createElement('img');
  image.className = 'image loading';
  // `loading` must be set before `src`.
  image.loading = 'lazy';
  image.setAttribute('loading', 'lazy');
  image.setAttribute('referrerpolicy', 'no-referrer');
  image.setAttribute('decoding', 'async');
  image.alt = alt;
  image.setAttribute('src', url.href);
  return image;
}

function parse(address: string | null): URL | undefined {
  if (!address || !/^https?:\/\//i.test(address)) return undefined;
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** The name of the file, otherwise the host. */
const nameOf = (url: URL) => url.pathname.split('/').pop() || url.host;
