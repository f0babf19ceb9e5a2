// A visitor and the team, each in a browser of the same engine with a profile of its own: the bot hands over, members
// answer in the inbox, and the visitor comes back by the link of a mail. No engine leaves a step out. The phone is a
// window of its size with a mouse: what depends on touch is tested in Chromium only (e2e/inbox).
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailCatcher } from '../../../src/server/notifications/testing.ts';
import { freePort } from '../../support/server.ts';
import type { Driver } from '../driver.ts';
import { entry, Member } from '../member.ts';
import { expectNoErrors, recordErrors } from '../page.ts';
import { Screen } from '../screen.ts';
import { Visitor } from '../visitor.ts';
import { botRow, type Scenario } from './scenario.ts';

/** Is only in the note. */
const canary = 'canary-4711';

export const peopleScenarios: Scenario[] = [
  {
    name: 'a member answers on a phone, a colleague sees it live, and the visitor comes back by the link of a mail and rates',
    async run({ driver, serve, openBrowser, onEnd }) {
      const [catcher, port, folder] = await Promise.all([
        openMailCatcher(),
        freePort(),
        mkdtemp(join(tmpdir(), 'platform-people-')),
      ]);
      onEnd(() => catcher.close());
      onEnd(() => rm(folder, { recursive: true }));
      // They start while the visitor asks.
      const browsers = Promise.all([openBrowser(), openBrowser(), openBrowser()]);
      const { platform, page, visitor } = await serve({
        SMTP_URL: catcher.url,
        MAIL_FROM: 'chat@example.com',
        // Links in mails begin with it.
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        PORT: port,
        ANSWER_MAIL_DELAY: '0',
      });
      const restart = async () => {
        await platform.kill();
        await platform.start();
      };

      // The bot hands over, and the visitor leaves an address.
      await visitor.openConversation(page());
      await visitor.exchange('Where is my order?');
      const { conversationId = '' } = await visitor.storedSession();
      await visitor.instructBot({ handoff: { reason: 'order' } });
      await visitor.waitFor('[part="handling"]', 'Waiting for a person');
      await visitor.click('[part="mail-address"] input');
      await driver.type('lena@example.com');
      await visitor.press('Enter');
      await visitor.waitFor('[part="mail-address"]', 'We will write to lena@example.com');

      // Ada takes it on a phone. Ben sees it on a large screen without a reload.
      const [adasBrowser, bensBrowser, device] = await browsers;
      await adasBrowser.resize(390, 780);
      const ada = new Member(adasBrowser, platform, 'Ada');
      const ben = new Member(bensBrowser, platform, 'Ben');
      await Promise.all([
        ada.signIn('?list=unassigned'),
        ben.signIn(`?list=all&conversation=${conversationId}`),
      ]);
      const [width, scrollWidth] = await adasBrowser.evaluate(() => [
        innerWidth,
        document.documentElement.scrollWidth,
      ]);
      assert.ok(width <= 480 && scrollWidth <= width, `the page has ${scrollWidth} of ${width} pixels`);
      await ada.click(`.row[data-id="${conversationId}"]`, 'order');
      await ada.waitFor(entry, 'Where is my order?');
      // One pane at a time.
      await ada.waitForCount('.list .row', 0);
      await ada.click('.toolbar button', 'Take');
      await ada.waitFor('.title .state', 'You');
      await ben.waitFor(entry, 'Ada joined');
      await ben.waitFor('.title .state', 'Ada');
      await visitor.waitFor('[part="activity"]', 'Ada joined');
      await visitor.waitFor('.header h2', 'Ada');

      // A note is for the team alone.
      await ada.click('.modes label', 'Note');
      await ada.click('.composer textarea');
      await adasBrowser.type(`${canary}: the order is A-1.`);
      await ada.click('.composer button.main', 'Add note');
      for (const member of [ada, ben]) await member.waitFor('li.note', canary);

      await restart();
      await visitor.send('It was ordered on Monday.');
      for (const member of [ada, ben]) await member.waitFor(entry, 'It was ordered on Monday.');

      // The visitor goes, and gets the answer as a mail, whose link opens the conversation on another device.
      await expectNothingOfTeam(driver, 'It was ordered on Monday.');
      await expectNoErrors(driver);
      await driver.goto('about:blank');
      await writeFile(join(folder, 'way.txt'), 'Turn left.');
      await ada.click('.modes label', 'Reply');
      await adasBrowser.choose(
        () => document.querySelector<HTMLInputElement>('.composer input[type="file"]'),
        [join(folder, 'way.txt')],
      );
      await ada.waitFor('.attachments li[data-status="uploaded"]', 'way.txt');
      await ada.click('.composer textarea');
      await adasBrowser.type('It is on its way.');
      await ada.click('.composer button.main', 'Send');
      for (const member of [ada, ben]) {
        await member.waitFor(`${entry}[data-author="person"]`, 'It is on its way.');
        await member.waitFor(`${entry} .file a`, 'way.txt');
      }
      const { text = '' } = await catcher.mailTo('lena@example.com');
      assert.ok(text.includes('It is on its way.') && !text.includes('canary'), text);
      const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/c\/#[\w.-]+/.exec(text) ?? [];
      await restart();
      await device.goto(link);
      await recordErrors(device);
      await new Screen(device).click('main button');
      const returned = new Visitor(device, platform.chatUrl, platform.chatUrl);
      await returned.waitFor(botRow, 'It is on its way.');
      await returned.waitFor(`${botRow} [part="speaker"]`, 'Ada');
      await returned.waitFor(`${botRow} a`, 'way.txt');
      assert.equal(await linkedText(device), 'Turn left.');
      await returned.send('When does it arrive?');
      for (const member of [ada, ben]) await member.waitFor(entry, 'When does it arrive?');
      await ada.click('.composer textarea');
      await ada.send('It arrives tomorrow.');
      await ben.waitFor(entry, 'It arrives tomorrow.');
      await returned.waitFor(botRow, 'It arrives tomorrow.');

      // The end, and the rating.
      await ada.click('.toolbar button', 'Close');
      await returned.click('[part="rating"] label', '5');
      await returned.click('[part="rating-send"]');
      await returned.waitFor('[part="rating"]', 'Thank you');
      await ben.waitFor(entry, 'rated the conversation 5 of 5');
      await expectNothingOfTeam(device, 'It arrives tomorrow.');

      // Everything is on the first device, too. The code for files is loaded when it is needed.
      await visitor.openConversation(page(), 'It arrives tomorrow.');
      await visitor.waitFor(botRow, 'It is on its way.');
      await expectNothingOfTeam(driver, 'It arrives tomorrow.');
      const own = [
        'It was ordered on Monday.',
        'It is on its way.',
        'When does it arrive?',
        'It arrives tomorrow.',
      ];
      for (const one of [visitor, returned])
        assert.deepEqual(
          (await one.messageTexts()).filter((shown) => own.includes(shown)),
          own,
        );

      assert.ok(!JSON.stringify(await visitor.serverMessages()).includes(canary));
    },
  },
];

/** Everything that the page holds: its documents and shadow roots, text boxes and storage. */
const everythingOf = (driver: Driver) =>
  driver.evaluate(() => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    const collect = (root: Document | ShadowRoot) => {
      texts.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if ('value' in element) texts.push(String(element.value));
        if (element.shadowRoot) collect(element.shadowRoot);
      }
    };
    collect(document);
    return texts.join('\n');
  });

/** @param shown a text of the conversation, which shows that the page was searched */
async function expectNothingOfTeam(driver: Driver, shown: string): Promise<void> {
  const everything = await everythingOf(driver);
  assert.ok(everything.includes(shown));
  assert.ok(!everything.includes('canary'), 'the note of the team is in the page of the visitor');
}

/** The text of the file that the newest answer with a file links to. */
async function linkedText(driver: Driver): Promise<string> {
  const url = await driver.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot;
    return root?.querySelector<HTMLAnchorElement>('.row[data-side="bot"] a[href*="/files/"]')?.href ?? '';
  });
  return (await fetch(url)).text();
}
