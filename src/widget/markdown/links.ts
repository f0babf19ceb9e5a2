// Links that lead out: in a new tab, without a way back. An anchor without an address stays one.

export function decorateLink(link: HTMLAnchorElement, title: string): void {
  link.removeAttribute('rel');
  if (!link.hasAttribute('href')) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  link.title = title;
}
