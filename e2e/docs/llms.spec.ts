// The documentation as the server serves it: llms.txt, its links, and all pages in one file.
import { expect, test } from '../support/fixtures.ts';

test('every link of llms.txt answers with a page in Markdown, which llms-full.txt contains once', async ({
  platform,
}) => {
  const list = await fetch(`${platform.url}/llms.txt`);
  expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const full = await (await fetch(`${platform.url}/llms-full.txt`)).text();
  const links = [...(await list.text()).matchAll(/^- \[.+\]\((\S+)\): .+\.$/gm)].map(
    ([, path]) => path ?? '',
  );
  expect(links.length).toBeGreaterThan(20);
  for (const path of links) {
    const response = await fetch(platform.url + path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ]);
    const text = await response.text();
    expect(text).toMatch(/^# \S/);
    expect(full.split(`\n<!-- ${path} -->\n\n${text}`)).toHaveLength(2);
  }
});
