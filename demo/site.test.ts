// Tests that the demo site works behind a proxy that serves it below a path.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const pages = readdirSync('demo/site', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);

test.each(pages)(
  'every address in %s stays below the path of the server, and leads to a file of it',
  (page) => {
    const html = readFileSync(join('demo/site', page), 'utf8');
    const addresses = [...html.matchAll(/(?:href|src|data-chat-url)="([^"]*)"/g)].map(
      ([, text = '']) => text,
    );
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) {
      const { pathname } = new URL(
        address,
        `https://www.example.com/sub/${page.replace(/^index\.html$/, '')}`,
      );
      expect(pathname, address).toMatch(/^\/sub\//);
      const path = pathname.slice('/sub/'.length);
      // Served by the server itself, and not by a file of the site.
      if (/^(chat\/demo|webchat|playground|console|v1\/docs|docs)\b/.test(path)) continue;
      const file = path.endsWith('/') || path === '' ? `${path}index.html` : path;
      expect(existsSync(join('demo/site', file)) || existsSync(join('public', file)), file).toBe(true);
    }
  },
);
