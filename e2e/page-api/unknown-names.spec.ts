// Unknown names of attributes, options, fields and events are reported at once, once each, with the nearest right one.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

/** Names that are wrong in JavaScript; in TypeScript they do not compile. */
type Wrong = never;
const isDiagnostics = (url: string) => /\/diagnostics-/.test(url);

test('an attribute that is similar to a known one is reported before init() and without a click', async ({
  chat,
  page,
}) => {
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  await chat.load('data-manual data-colour="#ff0000" data-botname="Ada"');
  await expect.poll(() => warnings.length).toBe(2);
  expect(warnings.join('\n')).toContain("no attribute 'data-colour'. Did you mean 'data-color'?");
  expect(warnings.join('\n')).toContain("no attribute 'data-botname'. Did you mean 'data-bot-name'?");
  chat.consoleErrors = [];
});

test('each unknown option, field and event is reported once, with its cure', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  await chat.load('data-manual');
  const codes = await page.evaluate(() => {
    const platform = window.platform as Platform;
    const errors: string[] = [];
    platform.on('error', ({ code }) => errors.push(code));
    Object.assign(window, { errors });
    for (const _ of [1, 2]) {
      platform.init({ color: '#ff0000', configuration: { colour: '#00ff00' } } as Wrong);
      platform.config({ configuraton: {}, user: { email: 'a@b.c' } } as Wrong);
      platform.config({ configuration: 'dark' as Wrong });
      void platform.updateUser({ phone: '1' } as Wrong).catch(() => {});
      platform.on('typing' as Wrong, () => {});
      platform.on('messages' as Wrong, () => {});
      platform.on(undefined as Wrong, () => {});
    }
    return errors;
  });
  expect(codes).toEqual([]);
  const expected = [
    /'color' is a field of the configuration: config\(\{ configuration: \{ color \} \}\)/,
    /no field 'colour'\. Did you mean 'color'\?/,
    /no option 'configuraton'\. Did you mean 'configuration'\?/,
    /no field 'email'\. Put it into data: updateUser\(\{ data: \{ email \} \}\)/,
    /no field 'dark'/,
    /A user has no field 'phone'/,
    /no event 'typing'\. Available: conversation, message/,
    /no event 'messages'\. Did you mean 'message'\?/,
    /no event 'undefined'/,
  ];
  for (const pattern of expected) await expect.poll(() => warnings.join('\n')).toMatch(pattern);
  expect(warnings).toHaveLength(expected.length);
  const errors = await page.evaluate(() => Reflect.get(window, 'errors') as string[]);
  expect(errors).toHaveLength(expected.length);
  expect(new Set(errors)).toEqual(new Set(['invalid_configuration', 'invalid_argument']));
  chat.consoleErrors = [];
});

test('a correct page, with attributes of other tools, loads no diagnostics and prints nothing', async ({
  chat,
  page,
}) => {
  const foreign =
    'data-cfasync="false" data-turbo-track="reload" data-nscript="x" data-name="x" data-service="x" data-category="x" data-src="x" data-id="1"';
  const right = `data-color="#0a7a5a" data-bot-name="Ada" data-starters='["a"]' data-phone='{"link":"tel:1"}' data-allow-file-upload`;
  await chat.load(`${foreign} ${right}`, { csp: '' });
  await page.evaluate(async () => {
    const platform = window.platform as Platform;
    platform.config({
      configuration: { botDescription: 'd', termsOfService: { link: 'https://a.example/' } },
      user: { name: 'A' },
    });
    for (const type of ['conversation', 'message', 'error', 'customEvent', 'webchat:ready', '*'] as const)
      platform.on(type as 'error', () => {});
    // Names are checked when the browser is idle; ours is queued later.
    await new Promise((resolve) => requestIdleCallback(resolve));
  });
  await chat.openWindow();
  expect(chat.requests.filter(isDiagnostics)).toEqual([]);
});
