// External links: they open a new tab without `opener`. An anchor without an address is not changed.
export function decorateLink(link: HTMLAnchorElement, title: string): void {
  link.removeAttribute('rel');
  if (!link.hasAttribute('href')) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  link.title = title;
}
