// The states of the pages that are not the console: playground, API reference, demo page, and the page of a link in a mail.
import { expect } from '../support/fixtures.ts';
import type { Scene, ShopStage, State } from './state.ts';

/** A state at a path of the server. */
const at = (
  name: string,
  path: string,
  isThere: (stage: ShopStage) => Promise<unknown>,
): State<ShopStage> => ({
  name,
  async enter(stage) {
    await stage.page.goto('about:blank');
    await stage.page.goto(stage.platform.url + path);
    await isThere(stage);
  },
});

const heading =
  (name: string | RegExp) =>
  ({ page }: ShopStage) =>
    expect(page.getByRole('heading', { name }).first()).toBeVisible();
const preview = ({ page }: ShopStage) => page.frameLocator('iframe');
const openPreview = async (stage: ShopStage) => {
  await preview(stage).locator('.launcher').click();
  await expect(preview(stage).locator('.row[data-side="bot"]').first()).toBeVisible();
};
const tab =
  (name: string) =>
  async ({ page }: ShopStage) => {
    await page.getByRole('tab', { name }).click();
    await expect(page.getByRole('tabpanel', { name })).toBeVisible();
  };

const begin = async () => {};
export const pageScenes: Scene<ShopStage>[] = [
  {
    surface: 'Playground',
    begin,
    isSeparate: true,
    states: [
      at('fields and preview', '/playground/#color=%230a7a5a', openPreview),
      at('a wrong value', '/playground/', async ({ page }) => {
        await page.getByRole('form', { name: 'Fields' }).getByLabel('radius', { exact: true }).fill('9');
        await page.keyboard.press('Enter');
      }),
      ...['Code', 'Methods', 'Server'].map((name) => at(`tab: ${name}`, '/playground/', tab(name))),
    ],
  },
  {
    surface: 'API reference',
    begin,
    isSeparate: true,
    states: [
      at('all operations', '/v1/docs', ({ page }) =>
        expect(page.getByRole('status').first()).toHaveText(/^\d+ operations$/),
      ),
      at('an operation', '/v1/docs/#createMessage', async ({ page }) => {
        await expect(page.locator('#createMessage > .body')).toBeVisible();
      }),
      at('a search', '/v1/docs', async ({ page }) => {
        await page.getByRole('searchbox').fill('messages');
      }),
      at('a search without a result', '/v1/docs', async ({ page }) => {
        await page.getByRole('searchbox').fill('xyzzy');
        await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
      }),
    ],
  },
  {
    surface: 'Documentation',
    begin,
    isSeparate: true,
    states: [
      at('start page', '/docs/', heading('A chat for any web page, and the server behind it')),
      at('a guide', '/docs/guides/bots.html', heading('Bots')),
      at('a guide with pictures', '/docs/guides/start.html', heading('A chat on your site')),
      at('a list of operations', '/docs/reference/operations.html', heading('API reference')),
      at('a decision', '/docs/decisions/cluster.html', heading('Several processes')),
      at('diagrams', '/docs/ARCHITECTURE.html', heading('Architecture')),
      at('no page', '/docs/none', heading('There is no page at this address')),
      at('a search', '/docs/guides/bots.html', async ({ page }) => {
        await page.keyboard.press('/');
        await page.getByRole('combobox').fill('webhook');
        await expect(page.getByRole('option').first()).toBeVisible();
      }),
      at('a field with its chat', '/docs/reference/configuration.html', async (stage) => {
        await stage.page.getByRole('button', { name: 'Try botName' }).click();
        await expect(preview(stage).getByRole('heading', { name: 'Ada' })).toBeVisible();
      }),
      at('a payload with its chat', '/docs/reference/messages.html', async (stage) => {
        await stage.page.getByRole('button', { name: 'Try card' }).click();
        await expect(preview(stage).getByText('For one website', { exact: true })).toBeVisible();
      }),
    ],
  },
  {
    surface: 'Other pages',
    begin,
    isSeparate: true,
    states: [
      at('demo page', '/', heading(/./)),
      at('demo page: attributes', '/demo/attributes.html', heading(/./)),
      at('demo page: consent', '/demo/consent.html', heading(/./)),
      at('demo page: inline', '/demo/inline.html', heading(/./)),
      at('link of a mail', `/c/#${'t'.repeat(43)}.demo`, heading(/./)),
      at('link of a mail that has ended', '/c/', heading(/./)),
    ],
  },
];
