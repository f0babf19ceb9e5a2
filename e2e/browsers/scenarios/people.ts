// A visitor and the team, each in a browser of the same engine with a profile of its own: the bot hands over, members
// answer in the inbox, and the visitor comes back by the link of a mail. No engine leaves a step out. The phone is a
// window of its size with a mouse: what depends on touch is tested in Chromium only (e2e/inbox).
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatClient } from '../../../src/client/index.ts';
import { openMailCatcher } from '../../../src/server/mail/testing.ts';
import { pollUntil } from '../../support/poll.ts';
import { freePort } from '../../support/server.ts';
import type { Driver } from '../driver.ts';
import { entry, Member, storedConversation } from '../member.ts';
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

      // What the server has stored, for the team and for the visitor.
      const stored = await storedConversation(platform, conversationId);
      assert.equal(stored.conversation.state, 'closed');
      assert.deepEqual(
        stored.notes.map(({ author, body }) => [author.name, body]),
        [['Ada', `${canary}: the order is A-1.`]],
      );
      assert.deepEqual(
        stored.ratings.map(({ state, rating }) => [state, rating]),
        [['given', 5]],
      );
      const messages = await visitor.serverMessages();
      const answer = messages.find(({ payload }) => payload.type === 'bloc');
      assert.deepEqual([answer?.author?.kind, answer?.author?.name], ['person', 'Ada']);
      assert.ok(answer?.payload.type === 'bloc');
      assert.deepEqual(
        answer.payload.items.map((item) => ('text' in item ? item.text : 'title' in item && item.title)),
        ['way.txt', 'It is on its way.'],
      );
      assert.deepEqual(
        (await visitor.serverTexts()).filter((one) => own.includes(one)),
        [own[0], ...own.slice(2)],
      );
      assert.ok(!JSON.stringify(messages).includes(canary));
    },
  },
  {
    name: 'a member opens, takes and answers a conversation, and writes a note, by keys alone',
    async run({ driver, platform }) {
      const { chatUrl } = platform;
      const { key } = await new ChatClient({ chatUrl }).createUser({ name: 'Nora' });
      const client = new ChatClient({ chatUrl, userKey: key });
      const { conversation } = await client.createConversation({});
      const { id } = conversation;
      await client.createMessage({ conversationId: id, payload: { type: 'text', text: '{"handoff":{}}' } });
      const ada = new Member(driver, platform, 'Ada');
      await ada.signIn('?list=unassigned');
      await ada.waitFor('.list .row', 'Nora');
      await pollUntil('the row has the focus', async () => {
        await driver.type('j');
        return (await ada.query(`.row[data-id="${id}"]`))[0]?.hasFocus;
      });
      await ada.press('Enter');
      await ada.waitForFocus('.conversation h2');
      await driver.type('t');
      // Letters are text in a text box.
      await ada.send('te n');
      await ada.press('Escape');
      await ada.waitForFocus('.transcript');
      await driver.type('n');
      await ada.send(`${canary} by keys`);
      await ada.waitFor('li.note', canary);
      const stored = await storedConversation(platform, id);
      assert.equal(stored.conversation.assignee?.name, 'Ada');
      assert.deepEqual(
        stored.notes.map(({ body }) => body),
        [`${canary} by keys`],
      );
      const { messages } = await client.listMessages({ conversationId: id });
      assert.deepEqual(messages[0]?.payload, { type: 'text', text: 'te n' });
      assert.ok(!JSON.stringify(messages).includes(canary));
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
