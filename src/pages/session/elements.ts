// Creates elements, and shows one view of the page.

type Child = Node | string | undefined;

/** Creates an element with attributes (true for an empty one) and children; undefined ones are left out. */
export function create<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Record<string, string | true | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[N] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A button that calls `onPress`; `kind` is the class of its style, if it is not an ordinary one. */
export function button(
  text: string,
  kind: 'main' | 'quiet' | undefined,
  onPress?: () => void,
): HTMLButtonElement {
  const element = create('button', { type: onPress ? 'button' : 'submit', class: kind }, text);
  if (onPress) element.addEventListener('click', onPress);
  return element;
}

/**
 * Shows a view with a heading. The focus moves to `focused`, or else to the heading, so that a screen reader begins
 * with the view. After the page has loaded, the focus does not move.
 */
export function show(
  heading: string,
  children: Child[],
  { focused, isFirst = false }: { focused?: HTMLElement | undefined; isFirst?: boolean } = {},
): void {
  const title = create('h1', { tabindex: '-1' }, heading);
  document.title = `${heading} – Platform Webchat`;
  const product = create('p', { class: 'product' }, 'Platform Webchat');
  document
    .getElementById('view')
    ?.replaceChildren(product, title, ...children.filter((child) => child !== undefined));
  if (focused) focused.focus();
  else if (!isFirst) title.focus();
}
