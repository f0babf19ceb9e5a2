// Creates elements of the widget without parsing HTML, so that neither CSP nor Trusted Types can block it.

/** Creates an element with attributes (false omits one, true sets it to the empty text) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean>,
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  set(node, attributes);
  // Not `append`, which old libraries replace.
  for (const child of children) node.appendChild(child);
  return node;
}

/** Sets attributes; false removes one. */
export function set(node: Element, attributes: Record<string, string | boolean>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') node.setAttribute(name, value);
    else node.toggleAttribute(name, value);
  }
}

/** A decorative icon from one path in a 24 by 24 box. */
export function icon(path: string, className: string): SVGElement {
  const make = (tag: string, attributes: Record<string, string>) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    set(node, attributes);
    return node;
  };
  const svg = make('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: className });
  svg.appendChild(make('path', { d: path }));
  return svg as SVGElement;
}
