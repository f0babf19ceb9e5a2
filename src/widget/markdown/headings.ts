// The levels of headings for screen readers: below the chat's own heading, which has level 2, and without gaps.

/** Sets the levels of the headings of a message, which may begin with any level. Repeated, it changes nothing. */
export function levelHeadings(element: HTMLElement): void {
  /** The levels in the text of the headings that contain the next one. */
  const outer: number[] = [];
  for (const heading of element.querySelectorAll('h3, h4, h5, h6')) {
    const own = Number(heading.tagName[1]);
    const level = Number(heading.getAttribute('aria-level') ?? own);
    while ((outer.at(-1) ?? 0) >= level) outer.pop();
    outer.push(level);
    const shown = outer.length + 2;
    if (shown === own) heading.removeAttribute('aria-level');
    else heading.setAttribute('aria-level', String(shown));
  }
}
