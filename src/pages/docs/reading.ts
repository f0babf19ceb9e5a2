// Follows the reader: marks the heading of the part in view in the table of contents, and lets the keyboard scroll wide tables and long lines of code.

export function watchHeadings(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.toc a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  if (links.size === 0) return;
  const headings = [...document.querySelectorAll<HTMLElement>('main h2, main h3')].filter(({ id }) =>
    links.has(id),
  );
  const mark = () => {
    // The last heading above a line below the header.
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = (passed.at(-1) ?? headings[0])?.id;
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  const observer = new IntersectionObserver(mark, { rootMargin: '-120px 0px -60% 0px' });
  for (const heading of headings) observer.observe(heading);
  mark();
}

/** A table, a diagram or a block of code that is wider than its place can be scrolled with the keyboard. */
export function markScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const part = target as HTMLElement;
      const isWide = part.scrollWidth > part.clientWidth;
      if (isWide === (part.tabIndex === 0)) continue;
      if (!isWide) {
        for (const name of ['tabindex', 'role', 'aria-label']) part.removeAttribute(name);
        continue;
      }
      part.tabIndex = 0;
      const { name } = part.dataset;
      if (name === undefined) continue;
      // Not a region: a page would have many landmarks.
      part.setAttribute('role', 'group');
      part.setAttribute('aria-label', `Table: ${name}`);
    }
  });
  for (const part of document.querySelectorAll('.table, .drawing, pre')) observer.observe(part);
}
