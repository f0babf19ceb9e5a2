// Writes the page of all pictures: those of now, those of the last release, and the share of pixels that differ.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { looksOf, pictureOf, problemOf } from './draw.ts';
import { looks } from './looks.ts';
import type { Scene } from './state.ts';

/** The share of pixels that differ, from 0 to 1. */
function differenceOf(now: Buffer, before: Buffer): number {
  if (now.equals(before)) return 0;
  const [a, b] = [PNG.sync.read(now), PNG.sync.read(before)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 }) / (a.width * a.height);
}

/** Returns the path of the page. */
export async function writeReport(root: string, scenes: readonly Scene[]): Promise<string> {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'now')
    .map(({ name }) => name)
    .sort((one, other) => statSync(join(root, other)).mtimeMs - statSync(join(root, one)).mtimeMs);
  const [release] = folders;
  const rows = scenes.flatMap(({ surface, states }) =>
    states.map((state) => {
      const problem = join(root, 'now', problemOf(surface, state));
      const pictures = looksOf(surface, state).flatMap((look) => {
        const file = pictureOf(surface, state, look);
        const [now, before] = [join(root, 'now', file), join(root, release ?? '', file)];
        if (!existsSync(now)) return [];
        const hasBefore = release !== undefined && existsSync(before);
        const change = hasBefore ? differenceOf(readFileSync(now), readFileSync(before)) : undefined;
        return [
          {
            look: look.name,
            now: `now/${file}?${Math.round(statSync(now).mtimeMs)}`,
            ...(hasBefore && { before: `${release}/${file}`, change }),
          },
        ];
      });
      return {
        surface,
        name: state.name,
        pictures,
        ...(existsSync(problem) && { problem: readFileSync(problem, 'utf8') }),
      };
    }),
  );
  const data = { looks: looks.map(({ name }) => name), release, rows };
  const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');
  const page = join(root, 'index.html');
  writeFileSync(
    page,
    html.replace('{/*DATA*/}', () => JSON.stringify(data).replaceAll('<', '\\u003c')),
  );
  return page;
}
