// Draws a Mermaid flowchart as SVG when the site is built: GitHub draws the same source by itself, and Mermaid is too large for a page.
// Comments in the source, which Mermaid ignores, place the nodes: `%% page launcher .` is one row of the grid, a dot an empty place.
// The colors are classes (src/pages/docs/style/diagram.css), so the picture follows the theme of the reader.

const escapeHtml = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const nodeWidth = 176;
const columnGap = 92;
const rowGap = 54;
const lineHeight = 17;
const padding = 11;
/** Between the edge of a group and its nodes, and for its name above them. */
const groupPadding = 16;
const groupHead = 26;
const titleCharacters = 21;
const noteCharacters = 27;

/** @returns the nodes, edges and groups of a flowchart, and the rows of its grid; throws for anything else */
export function parseDiagram(source) {
  const nodes = new Map();
  const edges = [];
  const groups = [];
  const grid = [];
  const refer = (text) => {
    const [, id, , label] = /^(\w+)(\["?(.*?)"?\])?$/.exec(text.trim()) ?? [];
    if (!id) throw new Error(`A diagram has a node that this site cannot draw: ${text}`);
    if (label !== undefined || !nodes.has(id)) nodes.set(id, label ?? nodes.get(id) ?? id);
    groups.find(({ isOpen }) => isOpen)?.ids.add(id);
    return id;
  };
  for (const line of source.split('\n').map((each) => each.trim())) {
    if (line === '' || /^flowchart (?:LR|TB)$/.test(line)) continue;
    const group = /^subgraph (\w+)(?:\["(.*)"\])?$/.exec(line);
    if (line.startsWith('%%')) grid.push(line.slice(2).trim().split(/\s+/));
    else if (group) groups.push({ label: group[2] ?? group[1], ids: new Set(), isOpen: true });
    else if (line === 'end') groups.at(-1).isOpen = false;
    else {
      const [first, ...rest] = line.split(/\s(<?-->)(?:\|([^|]*)\|)?\s/);
      let from = refer(first);
      for (let at = 0; at < rest.length; at += 3) {
        const to = refer(rest[at + 2]);
        edges.push({ from, to, label: rest[at + 1] ?? '', isTwoWay: rest[at] === '<-->' });
        from = to;
      }
    }
  }
  const placed = grid.flat().filter((id) => id !== '.');
  const missing = [...nodes.keys()].filter((id) => placed.filter((each) => each === id).length !== 1);
  if (missing.length > 0 || placed.length !== nodes.size)
    throw new Error(`Each node of a diagram needs one place in its grid of comments (%%): ${missing}`);
  return { nodes, edges, groups, grid };
}

/** The words of a label in lines: a title, and notes after a colon or a line break. */
function linesOf(label) {
  const [title, ...notes] = label.split(/<br\/>|: /);
  return [
    ...wrap(title, titleCharacters).map((text) => ({ text, kind: 'title' })),
    ...notes.flatMap((note) => wrap(note, noteCharacters)).map((text) => ({ text, kind: 'note' })),
  ];
}

function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/(?<=[ /])/)) {
    if (lines.at(-1) !== '' && (lines.at(-1) + word).trimEnd().length > width) lines.push('');
    lines.push(lines.pop() + word);
  }
  return lines.map((line) => line.trim());
}

/** @returns the picture, and its arrows in words */
export function drawDiagram(source) {
  const { nodes, edges, groups, grid } = parseDiagram(source);
  const boxes = place(nodes, groups, grid);
  const routes = route(edges, boxes);
  const all = [...boxes.values()];
  const width = Math.max(...all.map(({ x }) => x)) + nodeWidth + groupPadding;
  const height = Math.max(...all.map(({ y, height: own }) => y + own)) + groupPadding;
  const frames = groups.map(({ label, ids }) => {
    const own = [...ids].map((id) => boxes.get(id));
    const x = Math.min(...own.map((box) => box.x)) - groupPadding;
    const y = Math.min(...own.map((box) => box.y)) - groupHead;
    const right = Math.max(...own.map((box) => box.x)) + nodeWidth + groupPadding;
    const bottom = Math.max(...own.map((box) => box.y + box.height)) + groupPadding;
    const name = `<rect class="over" x="${x + 8}" y="${y + 4}" width="${label.length * 6.6 + 12}" height="20"/><text class="name" x="${x + 14}" y="${y + 18}">${escapeHtml(label)}</text>`;
    return {
      frame: `<rect class="group" x="${x}" y="${y}" width="${right - x}" height="${bottom - y}" rx="12"/>`,
      name,
    };
  });
  const cards = all.map(
    ({ x, y, height: own, lines }) =>
      `<rect class="node" x="${x}" y="${y}" width="${nodeWidth}" height="${own}" rx="8"/>${lines
        .map(
          ({ text, kind }, at) =>
            `<text class="${kind}" x="${x + nodeWidth / 2}" y="${y + padding + 12 + at * lineHeight}">${escapeHtml(text)}</text>`,
        )
        .join('')}`,
  );
  const arrows = routes.map(
    ({ path, isTwoWay }) => `<path class="edge" d="${path}"/>${heads(path, isTwoWay)}`,
  );
  const names = routes
    .filter(({ label }) => label)
    .map(({ label, at: [middle, y], gap }) => {
      const lines = wrap(label, 12);
      const widest = Math.max(...lines.map(({ length }) => length)) * 6.2 + 8;
      // Not above a node beside the gap.
      const x = gap ? Math.min(Math.max(middle, gap[0] + widest / 2 + 2), gap[1] - widest / 2 - 2) : middle;
      const top = y - (lines.length * 14) / 2;
      return `<rect class="behind" x="${x - widest / 2}" y="${top - 1}" width="${widest}" height="${lines.length * 14 + 2}"/>${lines.map((text, line) => `<text class="label" x="${x}" y="${top + 11 + line * 14}">${escapeHtml(text)}</text>`).join('')}`;
    });
  const titleOf = (id) =>
    linesOf(nodes.get(id))
      .filter(({ kind }) => kind === 'title')
      .map(({ text }) => text)
      .join(' ');
  const words = edges.map(
    ({ from, to, label, isTwoWay }) =>
      `${titleOf(from)} ${isTwoWay ? '↔' : '→'} ${titleOf(to)}${label ? `: ${label}` : ''}`,
  );
  const round = (number) => Math.ceil(number);
  const svg = `<svg viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" aria-hidden="true">${[...frames.map(({ frame }) => frame), ...arrows, ...frames.map(({ name }) => name), ...cards, ...names].join('')}</svg>`;
  return { svg, words };
}

/** Columns have one width; a row is as high as its highest node. */
function place(nodes, groups, grid) {
  const boxes = new Map();
  let y = groupPadding;
  for (const [row, ids] of grid.entries()) {
    const present = ids.filter((id) => id !== '.');
    const isFirstOfGroup = groups.some(
      (group) =>
        present.some((id) => group.ids.has(id)) &&
        !grid.slice(0, row).some((before) => before.some((id) => group.ids.has(id))),
    );
    if (isFirstOfGroup) y += groupHead;
    const lines = new Map(present.map((id) => [id, linesOf(nodes.get(id))]));
    const height = Math.max(...[...lines.values()].map(({ length }) => length)) * lineHeight + 2 * padding;
    for (const [column, id] of ids.entries())
      if (id !== '.') {
        const own = lines.get(id).length * lineHeight + 2 * padding;
        const x = groupPadding + column * (nodeWidth + columnGap);
        boxes.set(id, { x, y: y + (height - own) / 2, height: own, row, column, lines: lines.get(id) });
      }
    y += height + rowGap;
  }
  return boxes;
}

/** The way of each edge: straight in a row or a column, otherwise through the gap between two columns. */
function route(edges, boxes) {
  /** Ends at one side of one node, and edges in one gap, which share its length. */
  const shared = new Map();
  const share = (key, order, give) => shared.set(key, [...(shared.get(key) ?? []), { order, give }]);
  const drawn = edges.map((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    const isColumn = from.column === to.column;
    const side = (own, other) => {
      if (isColumn) return other.row > own.row ? 'bottom' : 'top';
      return other.column > own.column ? 'right' : 'left';
    };
    const ends = [
      [edge.from, from, to],
      [edge.to, to, from],
    ].map(([id, own, other]) => {
      const end = { own, side: side(own, other) };
      share(`${id} ${end.side}`, other.row * 10 + other.column, (part, count) => {
        Object.assign(end, { part, count });
      });
      return end;
    });
    const line = { ...edge, ends, isColumn, channel: 0.5 };
    if (!isColumn && from.row !== to.row)
      share(`gap ${Math.min(from.column, to.column)}`, -Math.min(from.row, to.row) * 10 + to.row, (part) => {
        line.channel = part;
      });
    return line;
  });
  for (const list of shared.values()) {
    list.sort((a, b) => a.order - b.order);
    for (const [at, { give }] of list.entries()) give((at + 1) / (list.length + 1), list.length);
  }
  return drawn.map(({ label, isTwoWay, ends, isColumn, channel }) => {
    const [start, end] = ends.map(({ own, side, part }) => {
      if (side === 'top' || side === 'bottom')
        return [own.x + nodeWidth * part, side === 'top' ? own.y : own.y + own.height];
      return [side === 'left' ? own.x : own.x + nodeWidth, own.y + own.height * part];
    });
    const [only, other] = ends[0].count === 1 ? [ends[0], end] : [ends[1], start];
    const isBeside = other[1] > only.own.y + 8 && other[1] < only.own.y + only.own.height - 8;
    if (isColumn || (only.count === 1 && isBeside)) {
      // One of the two ends decides, so that the line has no slope.
      const a = isColumn ? start : [start[0], other[1]];
      const b = isColumn ? [start[0], end[1]] : [end[0], other[1]];
      return { label, isTwoWay, path: pathOf([a, b]), at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
    }
    const left = Math.min(start[0], end[0]);
    const x = left + Math.abs(start[0] - end[0]) * channel;
    const points = [start, [x, start[1]], [x, end[1]], end];
    const gap = [left, Math.max(start[0], end[0])];
    // Not in the middle, where other lines cross it.
    return { label, isTwoWay, path: pathOf(points), at: [x, start[1] + (end[1] - start[1]) * 0.3], gap };
  });
}

const pathOf = (points) =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** The points of the arrows: at the end, and for two ways also at the begin. */
function heads(path, isTwoWay) {
  const points = path
    .slice(1)
    .split('L')
    .map((point) => point.split(' ').map(Number));
  const head = ([x, y], [fromX, fromY]) => {
    const [dx, dy] = [Math.sign(Math.round(x - fromX)), Math.sign(Math.round(y - fromY))];
    const corner = (side) => `${x - 8 * dx - side * 4 * dy} ${y - 8 * dy + side * 4 * dx}`;
    return `<path class="head" d="M${x} ${y}L${corner(1)}L${corner(-1)}Z"/>`;
  };
  return head(points.at(-1), points.at(-2)) + (isTwoWay ? head(points[0], points[1]) : '');
}
