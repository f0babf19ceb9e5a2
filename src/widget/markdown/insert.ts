// Inserts nodes by the oldest functions of the DOM: pages replace the younger ones (`append`, `replaceWith`), even by ones
// that throw.

/** Adds children at the end. */
export function append(parent: Node, children: Iterable<Node>): void {
  for (const child of children) parent.appendChild(child);
}

/** Puts a node in place of another one. */
export function replace(old: Node, by: Node): void {
  old.parentNode?.replaceChild(by, old);
}
