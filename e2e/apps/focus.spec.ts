// Apps that take the focus from the visitor. Whatever Playwright evaluates in a frame counts there as a press of the visitor
// (`userGesture` of the DevTools protocol), and after one an app may have the focus for five seconds. So nothing is evaluated inside
// an app that is to lose the focus: not by the test, which reads its height, and not by snapshots of a trace.
import { expect, test } from '../support/fixtures.ts';
import { insideOf, withApps } from './apps.ts';
import { appOf, plainApp } from './documents.ts';

test.use({ ...withApps, trace: 'off' });

test('an app that takes the focus from the visitor is removed', async ({ chat, page }) => {
  await page.clock.install();
  await chat.startConversation();
  const taking = (times: number) =>
    plainApp(`
    document.body.insertAdjacentHTML('beforeend', '<input id="field" autofocus>');
    const field = document.getElementById('field');
    (async () => {
      await begin();
      for (let n = 0; n < ${times}; n++) {
        window.focus();
        field.focus();
        await new Promise((resolve) => setTimeout(resolve, 50));
        field.blur();
      }
      say({ method: 'ui/notifications/size-changed', params: { height: 150 } });
    })();
  `);
  await chat.input.pressSequentially('Wha');
  await chat.instructBot({ stream: [appOf(taking(2))] });
  const once = chat.botRows.filter({ has: page.locator('.app') });
  const field = insideOf(once).locator('#field');
  await expect(once.locator('.app > iframe')).toHaveCSS('height', '150px');
  await expect(chat.input).toBeFocused();
  await page.keyboard.type('t I write');
  await expect(chat.input).toHaveValue('What I write');
  // The visitor can go there: by a click, and with the keyboard.
  await field.click();
  await page.keyboard.type('in the app');
  await expect(field).toHaveValue('in the app');
  await chat.input.click();
  await once.getByRole('button', { name: 'Skip the app' }).focus();
  await page.keyboard.press('Tab');
  await expect(field).toBeFocused();
  await page.keyboard.type('!');
  await expect(field).toHaveValue(/!/);

  await chat.input.click();
  const frames = () =>
    chat.requests.filter((url) => url.startsWith(`${chat.platform.sandboxOrigin}/`)).length;
  const before = frames();
  await chat.instructBot({ stream: [appOf(taking(100), {}, 'The text of one that goes on')] });
  // Its text is there before it runs, too.
  await expect.poll(frames).toBeGreaterThan(before);
  await expect(chat.botRows.last()).toContainText('The text of one that goes on');
  await expect(chat.window.locator('iframe')).toHaveCount(1);
  await expect(chat.input).toBeFocused();
  // It stays removed when the time in which an app has to start is over.
  const shown = frames();
  await page.clock.fastForward(20_000);
  await chat.botReplies({ type: 'text', text: 'Later' });
  expect(frames()).toBe(shown);
  chat.ignoreConsoleErrors('Blocked autofocusing');
});
