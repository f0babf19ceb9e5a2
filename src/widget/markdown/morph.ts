// Updates nodes in the page to match new ones with as few changes as possible, so that a selection in them and the
// position of a screen reader are kept.
// Why not `idiomorph`: it is larger than this code, which handles one parent with known children (decision 20).

/** Changes `shown` (consecutive children of `parent`) to `wanted`. Returns the nodes that are then in the page. */
export function morph(parent: Node, shown: readonly Node[], next: readonly Node[]): Node[] {
  const after = shown.at(-1)?.nextSibling ?? null;
  const result = next.map((node, i) => {
    const old = shown[i];
    if (old && isAlike(old, node)) {
      patch(old, node);
      return old;
    }
    // Adopts the node: the new nodes are from a document in which nothing loads.
    if (old) parent.replaceChild(node, old);
    else parent.insertBefore(node, after);
    return node;
  });
  for (const old of shown.slice(next.length)) parent.removeChild(old);
  return result;
}

const isAlike = (a: Node, b: Node) =>
  a.nodeType === b.nodeType &&
  a.nodeName === b.nodeName &&
  // A content security policy may forbid to set the attribute `style` of its elements.
  (!(isFormula(a) || isFormula(b)) || a.isEqualNode(b));

const isFormula = (node: Node) => node instanceof Element && node.classList.contains('formula');

function patch(old: Node, node: Node): void {
  if (old instanceof Text) {
    const { data } = node as Text;
    if (old.data === data) return;
    // Appending keeps every Range in the text; assigning `data` would collapse them.
    if (data.startsWith(old.data)) old.appendData(data.slice(old.length));
    else replaceData(old, data);
    return;
  }
  if (!(old instanceof Element)) return;
  const next = node as Element;
  // A picture that is loading or has loaded is not replaced.
  if (old.localName === 'img' && old.getAttribute('src') === next.getAttribute('src')) return;
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morph(old, [...old.childNodes], [...next.childNodes]);
}

/** Replaces only the part between the common start and the common end. */
function replaceData(old: Text, data: string): void {
  let same = 0;
  while (same < data.length && old.data[same] === data[same]) same++;
  old.replaceData(same, old.length - same, data.slice(same));
}
