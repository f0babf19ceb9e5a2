// The policy of contentSecurityPolicy(): a page under exactly this header works without a violation, and each source that is
// removed gives one.
import type { Page } from '@playwright/test';
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import { type ContentSecurityPolicy, contentSecurityPolicy } from '../../src/protocol/page-api/csp.ts';
import { expect, test } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

test.use({ env: { BOT: 'e2e/support/bots/media-bot.js' } });

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

interface Case {
  name: string;
  configuration: Configuration;
  nonce?: string;
  trustedTypes?: boolean;
}
const cases: Case[] = [
  { name: 'no field, by addresses', configuration: {} },
  { name: 'a nonce, without Trusted Types', configuration: {}, nonce: 'n0nce', trustedTypes: false },
  { name: 'a bundled font', configuration: { fontFamily: 'rubik' }, nonce: 'n0nce' },
  { name: 'a font of Google', configuration: { fontFamily: 'Lora' } },
  {
    name: 'pictures of other servers',
    configuration: { botAvatar: 'https://avatars.test/a.svg', fabImage: 'https://launcher.test/b.svg' },
  },
  { name: 'a picture of the page', configuration: { fabImage: '/own.svg' } },
  { name: 'listed images', configuration: { remoteImages: 'listed', imageOrigins: 'https://images.test' } },
  { name: 'all images', configuration: { remoteImages: 'all' }, nonce: 'n0nce' },
  { name: 'a style sheet', configuration: { additionalStylesheetUrl: 'https://styles.test/a.css' } },
];

const policyOf = ({ configuration, nonce, trustedTypes = true }: Case, { chatUrl }: PlatformServer) =>
  contentSecurityPolicy({ chatUrl, configuration, trustedTypes, ...(nonce ? { nonce } : {}) });

/** Other servers answer with a picture, a style sheet or a font that is not one. */
async function prepare(page: Page): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' };
  await page.route(/^https:\/\//, (route) => {
    const { hostname } = new URL(route.request().url());
    if (hostname === 'fonts.googleapis.com')
      return route.fulfill({
        contentType: 'text/css',
        body: `@font-face { font-family: Lora; src: url(https://fonts.gstatic.com/a.woff2); }`,
        headers,
      });
    if (hostname === 'styles.test') return route.fulfill({ contentType: 'text/css', body: '', headers });
    return route.fulfill({ contentType: 'image/svg+xml', body: svg, headers });
  });
  await page.route('**/own.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
  await page.addInitScript(() => {
    window.seen = { violations: [], events: [] };
    addEventListener('securitypolicyviolation', (event) =>
      window.seen.violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
}

const html = ({ configuration, nonce }: Case, { url, chatUrl }: PlatformServer) => {
  const attributes = Object.entries(configuration).map(
    ([name, value]) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${value}"`,
  );
  return `<!doctype html><html lang="en"><title>A page</title><body><h1>A page</h1>
    <script ${nonce ? `nonce="${nonce}"` : ''} src="${url}/webchat/webchat.js" data-chat-url="${chatUrl}" ${attributes.join(' ')}></script>`;
};

/** Opens the chat and loads everything that its first messages contain, as far as the policy allows. */
const use = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot;
    if (!root?.querySelector('.row')) (window.platform as { open?(): void } | undefined)?.open?.();
    const audio = root?.querySelector('audio');
    if (audio && audio.preload !== 'auto') {
      audio.preload = 'auto';
      audio.load();
    }
    for (const face of document.fonts) if (face.status === 'unloaded') face.load().catch(() => {});
    return {
      rows: root?.querySelectorAll('.row').length,
      ready: audio?.readyState,
      bold: !!root?.querySelector('strong'),
    };
  });

const violations = (page: Page) => page.evaluate(() => window.seen.violations);
const without = ({ directives }: ContentSecurityPolicy, directive: string, source: string) =>
  Object.entries(directives)
    .map(([name, sources]) =>
      [name, ...sources.filter((one) => name !== directive || one !== source)].join(' '),
    )
    .join('; ');

const sourcesOf = ({ reasons }: ContentSecurityPolicy) =>
  reasons.filter(({ directive }) => !['default-src', 'require-trusted-types-for'].includes(directive));

for (const [index, one] of cases.entries()) {
  test(`under the policy for ${one.name} the chat works without a violation, and no source that earlier cases have not can be left out`, async ({
    page,
    platform,
    serve,
  }) => {
    test.slow();
    await prepare(page);
    const policy = policyOf(one, platform);
    await page.goto(serve('/policy', html(one, platform), { 'content-security-policy': policy.header }));
    await expect.poll(() => use(page)).toMatchObject({ rows: 3, bold: true });
    await expect.poll(async () => (await use(page)).ready).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);

    const earlier = cases.slice(0, index).flatMap((other) => sourcesOf(policyOf(other, platform)));
    const isNew = ({ directive, source }: (typeof earlier)[number]) =>
      !earlier.some((other) => other.directive === directive && other.source === source);
    const needed = sourcesOf(policy).filter(isNew);
    if (index === 0) expect(needed.length).toBeGreaterThan(3);
    for (const { directive, source } of needed) {
      const header = without(policy, directive, source);
      await page.goto(serve('/policy-without', html(one, platform), { 'content-security-policy': header }));
      await expect
        .poll(
          async () => {
            await use(page);
            return (await violations(page)).join();
          },
          { message: `without ${directive} ${source}` },
        )
        .toContain(directive);
    }
  });
}
