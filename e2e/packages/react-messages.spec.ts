// Messages that React draws: `renderMessage` of the package for React, in a real browser and under StrictMode.
import type { Page } from '@playwright/test';
import type { Payload } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot } from '../support/fixtures.ts';
import { siteTest } from './site.ts';

declare global {
  interface Window {
    /** Draws the site. `isDrawn`: with `renderMessage`. */
    draw(site: { isShown?: boolean; isDrawn?: boolean; isProvider?: boolean; plan?: string }): void;
    failures: unknown[];
  }
}

const code = `
import { createContext, createElement as h, StrictMode, useContext, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Webchat, WebchatProvider } from '@platform-webchat/react';
const Plan = createContext('');
window.failures = [];
function Place({ address }) {
  const plan = useContext(Plan);
  const [visits, setVisits] = useState(0);
  return h('button', { className: 'place', onClick: () => setVisits(visits + 1) }, address + ' ' + plan + ' ' + visits);
}
function Site({ isShown = true, isDrawn = true, isProvider, plan = 'free' }) {
  if (!isShown) return null;
  const renderMessage = ({ payload }) => {
    if (payload.text === 'broken') throw new Error('Cannot draw it.');
    // The options are of this rendering: the newest function is called.
    return payload.type === 'location' && h(Place, { address: plan + ' ' + payload.address });
  };
  const props = { chatUrl: window.chatUrl, ...(isDrawn && { renderMessage }) };
  const chat = isProvider ? h(WebchatProvider, props) : h(Webchat, { ...props, onError: (error) => window.failures.push(error.code) });
  return h(Plan.Provider, { value: plan }, chat);
}
const root = createRoot(document.querySelector('#root'));
window.draw = (props) => root.render(h(StrictMode, null, h(Site, props)));`;

const test = siteTest({ 'main.js': code });
test.use({ env: scriptedBot });
test.beforeEach(async ({ page, visit }) => {
  await visit('<div id="root"></div>');
  await draw(page, {});
});

const draw = (page: Page, site: Parameters<Window['draw']>[0]) =>
  page.evaluate((props) => window.draw(props), site);
const places = (page: Page) => page.locator('.place');
const location = (address: string): Payload => ({ type: 'location', latitude: 1, longitude: 2, address });

test('React draws the messages that the page wants to draw, with its state and its context, and the chat draws the others', async ({
  chat,
  page,
}) => {
  await chat.openWindow();
  await chat.botReplies({ type: 'text', text: 'A text' });
  const row = await chat.botReplies(location('<b>Main street</b>'));
  await expect(places(page)).toHaveText('free <b>Main street</b> free 0');
  await expect(chat.window.getByText('A text', { exact: true })).toBeVisible();
  // In the bubble of the message.
  const bubble = await row.locator('.bubble').boundingBox();
  const place = await places(page).boundingBox();
  expect(place?.y).toBeGreaterThanOrEqual(bubble?.y ?? 1e6);
  expect(place?.x).toBeGreaterThanOrEqual(bubble?.x ?? 1e6);
  await places(page).click();
  await expect(places(page)).toHaveText('free <b>Main street</b> free 1');
  // The newest properties and context, and the same component with its state.
  await draw(page, { plan: 'paid' });
  await expect(places(page)).toHaveText('paid <b>Main street</b> paid 1');
  await chat.botReplies(location('Side street'));
  await expect(places(page)).toHaveText(['paid <b>Main street</b> paid 1', 'paid Side street paid 0']);
});

test('without the function, and after the component has gone, nothing of React is left in the chat', async ({
  chat,
  page,
}) => {
  await chat.openWindow();
  const row = await chat.botReplies(location('Main street'));
  await expect(places(page)).toHaveCount(1);
  await draw(page, { isDrawn: false });
  await expect(row.getByText('Main street')).toBeVisible();
  await expect(places(page)).toHaveCount(0);
  await draw(page, { isDrawn: true });
  await expect(places(page)).toHaveText('free Main street free 0');
  await draw(page, { isShown: false });
  await expect(places(page)).toHaveCount(0);
  await expect(chat.launcher).toHaveCount(0);
});

test('the history of a returning visitor is drawn by React too, and a new conversation starts without it', async ({
  chat,
  page,
}) => {
  await chat.openWindow();
  await chat.botReplies(location('Main street'));
  await expect(places(page)).toHaveCount(1);
  await page.reload();
  await draw(page, { isProvider: true });
  await chat.openWindow();
  await expect(places(page)).toHaveText('free Main street free 0');
  await page.evaluate(() => (window.platform as Platform).restartConversation());
  await expect(places(page)).toHaveCount(0);
  await chat.botReplies(location('Side street'));
  await expect(places(page)).toHaveText('free Side street free 0');
});

test('a function that throws leaves the message to the chat and the page as it is, and is reported', async ({
  chat,
  page,
}) => {
  await chat.openWindow();
  await chat.botReplies(location('Main street'));
  const row = await chat.botReplies({ type: 'text', text: 'broken' });
  await expect(row.getByText('broken')).toBeVisible();
  await expect(places(page)).toHaveText('free Main street free 0');
  await expect.poll(() => page.evaluate(() => window.failures)).toEqual(['hook_failed']);
});
