// The measured bytes that the start page and docs/reference/performance.md show: our record (bench/last.json) beside the scripts of
// other chats (bench/field.json). Both files are written by measurements only.
import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(`../../bench/${name}`, import.meta.url), 'utf8'));

/** Our rows: what a visitor has loaded, in the order in which it is loaded. */
const ownRows = {
  'travel: until the launcher shows': 'on each page view',
  'travel: until the window is open': 'with an open window',
  'travel: of all files': 'all features, one language',
};

export function readFigures() {
  const { machine, values } = read('last.json');
  const { date, packages } = read('field.json');
  const own = Object.entries(ownRows).map(([name, note]) => ({
    name: 'Platform Webchat',
    note,
    bytes: values[name].value,
    isOwn: true,
  }));
  const others = packages.map(({ name, version, note, bytes }) => ({
    name: `${name} ${version}`,
    note: note ? `whole script, ${note}` : 'whole script',
    bytes,
    isOwn: false,
  }));
  return {
    rows: [...own, ...others].sort((a, b) => a.bytes - b.bytes),
    machine,
    fieldDate: date,
    click: values['open after a page view: click to composer'],
    slowClick: values['slow phone, without prefetch: click to composer'],
    slowFloor: values['slow phone, without prefetch: click to composer'].floor,
  };
}

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
