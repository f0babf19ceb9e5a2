// Tests of the HTML that the server writes itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { escaped, plainPage } from './html.ts';

test('an escaped text is only text, in the content and in an attribute of either kind of quotes', () => {
  expect(escaped(`<b title="a" id='b'>R&D</b>`)).toBe(
    '&lt;b title=&quot;a&quot; id=&#39;b&#39;&gt;R&amp;D&lt;/b&gt;',
  );
});

/** The values of the colors of the pages, of one mode. */
function colorsOf(css: string): (name: string) => string | undefined {
  const colors = new Map([...css.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, color]) => [name, color]));
  return (name) => colors.get(name);
}

test('a plain page has the colors of the built pages, light and dark', async () => {
  const page = await plainPage({ language: 'en', title: 'a', content: 'b', status: 200 }).text();
  const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
  const dark = '@media (prefers-color-scheme:dark)';
  const css = readFileSync(join(import.meta.dirname, '../../design/colors.css'), 'utf8').replaceAll(
    '@media (prefers-color-scheme: dark)',
    dark,
  );
  for (const n of [0, 1]) {
    const [own, shared] = [style.split(dark)[n] ?? '', colorsOf(css.split(dark)[n] ?? '')];
    expect(own).toContain(
      `body{${n === 0 ? 'margin:0;' : ''}color:${shared('text')};background:${shared('ground')}}`,
    );
    expect(own).toMatch(
      new RegExp(`button\\{[^}]*color:${shared('on-fill')};background:${shared('fill')}[;}]`),
    );
    expect(own).toMatch(new RegExp(`:focus-visible\\{outline[^}]* ?${shared('accent')}`));
  }
});
