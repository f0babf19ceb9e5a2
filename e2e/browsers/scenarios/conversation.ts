// Scenarios of a conversation: writing, reading, files, history.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRequestGate } from '../../support/faults/request-gate.ts';
import { pollUntil } from '../../support/poll.ts';
import { botRow, ownRow, type Scenario } from './scenario.ts';

export const conversationScenarios: Scenario[] = [
  {
    name: 'a visitor writes several lines, sends them and reads the answers',
    async run({ visitor, driver, page }) {
      await visitor.openConversation(page());
      const { height } = await visitor.waitFor('.box-input');
      await driver.type('Do you repair');
      await visitor.press('Shift+Enter');
      await driver.type('tandems?');
      const grown = await pollUntil('the text box grows', async () => {
        const box = await visitor.waitFor('.box-input');
        return box.height > height + 10 && box;
      });
      assert.equal(grown.text, 'Do you repair\ntandems?');
      await visitor.press('Enter');
      await visitor.waitFor(botRow, 'received text');
      await pollUntil(
        'the text box shrinks',
        async () => (await visitor.waitFor('.box-input')).height === height,
      );
      await driver.type('And “unicycles” – für 2 €?');
      await visitor.click('.send');
      await visitor.waitFor(botRow, 'unicycles');
      assert.ok((await visitor.waitFor('.box-input')).hasFocus, 'the text box lost the focus');
      assert.deepEqual(
        (await visitor.serverTexts()).filter((_, i) => i % 2),
        ['Do you repair\ntandems?', 'And “unicycles” – für 2 €?'],
      );
      assert.match((await visitor.waitFor(`${ownRow} .meta`)).text, /^\d{1,2}:\d\d/);
      await pollUntil('the newest message is in view', async () => {
        const { top, height: tall } = await visitor.waitFor(botRow, 'unicycles');
        return top + tall <= (await visitor.waitFor('.composer')).top;
      });
    },
  },
  {
    name: 'a streamed Markdown answer is readable while it arrives, and its code can be copied',
    async run({ visitor, page }) {
      await visitor.openConversation(page());
      const markdown =
        '## A title\n\nSome **bold** words, `code` and a [link](https://example.org).\n\n- one\n- two\n\n| Plan | Price |\n|---|---|\n| Basic | 0 |\n\n```js\nlet a = "text"; // note\n```\n\nThe end.';
      const pieces = markdown.match(/[\s\S]{1,9}/g) ?? [];
      const gate = await startRequestGate();
      await visitor.instructBot({ stream: [...pieces.slice(0, 6), { until: gate.url }, ...pieces.slice(6)] });
      // The first part is visible while the rest is missing.
      await visitor.waitFor(`${botRow}[data-status="streaming"] h4`, 'A title');
      assert.equal((await visitor.query(`${botRow} table`)).length, 0, 'more is shown than has arrived');
      gate.open();
      await visitor.waitFor(`${botRow}[data-status="sent"]`, 'The end.');
      for (const [selector, text] of [
        ['h4', 'A title'],
        ['strong', 'bold'],
        ['p code', 'code'],
        ['a[href="https://example.org/"], a[href="https://example.org"]', 'link'],
        ['li:last-child', 'two'],
        ['td', 'Basic'],
        ['pre', 'let a = "text"; // note'],
      ] as const) {
        await visitor.waitFor(`${botRow} .bubble ${selector}`, text);
      }
      await visitor.click(`${botRow} .bubble button`, /copy/i);
      await visitor.waitFor(`${botRow} .bubble button`, /copied/i);
      await visitor.click('.box-input');
      await visitor.press('Control+v');
      await pollUntil('the copied code is in the text box', async () =>
        (await visitor.waitFor('.box-input')).text.includes('let a = "text"'),
      );
      assert.deepEqual((await visitor.serverMessages()).at(-1)?.payload, { type: 'markdown', markdown });
    },
  },
  {
    name: 'a picture is enlarged, an option is chosen, and a new conversation is started',
    async run({ visitor, driver, page, proxy }) {
      await visitor.openConversation(page());
      const imageUrl = `${proxy.url}/demo/media/photo.svg`;
      const options = ['Yes', 'No'].map((label) => ({ label, value: label }));
      const question = { type: 'choice', text: 'Which one?', options };
      await visitor.instructBot({ reply: [{ type: 'image', imageUrl, title: 'A drawing' }, question] });
      await visitor.waitFor('.option', 'Yes');
      await pollUntil('the picture is loaded', () =>
        driver.evaluate(() => {
          const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
          return (root?.querySelector('img')?.naturalWidth ?? 0) > 0;
        }),
      );
      await visitor.click(`${botRow} .photo button`, 'A drawing, enlarge');
      const large = await visitor.waitUntilStill('dialog.large img');
      assert.ok(large.isUncovered && large.height > 600, 'the picture is not enlarged');
      await visitor.press('Escape');
      await visitor.waitForCount('dialog.large', 0);
      await visitor.waitFor('.window');
      await visitor.click('.option', 'Yes');
      await visitor.waitFor(botRow, 'received text {"type":"text","text":"Yes","value":"Yes"}');
      const pressed = await visitor.query('.option[aria-pressed="true"]');
      assert.deepEqual(
        pressed.map(({ text }) => text.trim()),
        ['Yes'],
      );
      const { conversationId } = await visitor.storedSession();
      await visitor.click('[part="restart"]');
      await visitor.waitFor('[role="alertdialog"]', 'Start a new conversation?');
      await visitor.click('[role="alertdialog"] button', 'Start new');
      await visitor.waitForCount('[role="alertdialog"]', 0);
      await visitor.waitForCount(botRow, 1);
      await visitor.exchange('Once more');
      assert.notEqual((await visitor.storedSession()).conversationId, conversationId);
      assert.equal((await visitor.serverMessages()).length, 3);
    },
  },
  {
    name: 'chosen files are uploaded and arrive unchanged in one message',
    async run({ visitor, driver, page }) {
      const folder = await mkdtemp(join(tmpdir(), 'platform-files-'));
      try {
        const picture = Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        );
        const text = 'Some notes\n'.repeat(200_000);
        await writeFile(join(folder, 'dot.png'), picture);
        await writeFile(join(folder, 'notes.txt'), text);
        await visitor.openConversation(page({ attributes: 'data-allow-file-upload' }));
        await visitor.waitFor('[part="attach"]', 'Attach files');
        await driver.choose(
          () => document.querySelector('platform-webchat')?.shadowRoot?.querySelector('input[type="file"]'),
          [join(folder, 'dot.png'), join(folder, 'notes.txt')],
        );
        await visitor.waitForCount('.attachment[data-status="uploaded"]', 2);
        await visitor.click('.box-input');
        await driver.type('Look');
        await visitor.press('Enter');
        await visitor.waitFor(botRow, 'received bloc');
        const payload = (await visitor.serverMessages()).at(-2)?.payload;
        assert.ok(payload?.type === 'bloc');
        const [image, file, caption] = payload.items;
        assert.ok(image?.type === 'image' && file?.type === 'file' && caption?.type === 'text');
        assert.deepEqual([image.title, file.title, caption.text], ['dot.png', 'notes.txt', 'Look']);
        const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
        assert.ok((await bytes(image.imageUrl)).equals(picture));
        assert.equal((await bytes(file.fileUrl)).toString(), text);
        await visitor.waitFor(`${ownRow} a`, 'notes.txt');
        await pollUntil('the picture is loaded', () =>
          driver.evaluate(() => {
            const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
            return root?.querySelector<HTMLImageElement>('[data-side="visitor"] img')?.naturalWidth === 1;
          }),
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  {
    name: 'loading older messages does not move the message that is being read',
    async run({ visitor, driver, page }) {
      const url = page();
      await visitor.openConversation(url);
      const answers = Array.from({ length: 90 }, (_, i) => ({ type: 'text', text: `Answer ${i} of many` }));
      await visitor.instructBot({ reply: answers });
      await pollUntil('the server has stored all answers', async () =>
        (await visitor.serverTexts()).includes('Answer 89 of many'),
      );
      await visitor.openConversation(url, 'Answer 89 of many');
      // The actions of messages arrive with the extras, which the focus loads.
      await driver.evaluate(() => {
        const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
        (root.querySelector('.viewport') as HTMLElement).focus();
      });
      await visitor.waitFor(`${botRow} .act`);
      // The opening is over: the newest message is at the end, and stays there.
      await pollUntil('the end of the transcript is in view', async () => {
        await visitor.waitUntilStill(`${botRow} .text`, 'Answer 89 of many');
        return driver.evaluate(() => {
          const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
          const { scrollHeight, scrollTop, clientHeight } = root.querySelector('.viewport') as HTMLElement;
          return scrollHeight - scrollTop - clientHeight < 1;
        });
      });
      const loadedCount = (await visitor.query(botRow)).length;
      assert.ok(loadedCount < 90, 'all messages were loaded at once');
      // Scrolls close to the first loaded message; older ones are inserted above it.
      const [text, at] = (await driver.evaluate(() => {
        const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
        (root.querySelector('.viewport') as HTMLElement).scrollTop = 30;
        const first = root.querySelector('.row[data-side="bot"] .text') as HTMLElement;
        return [first.textContent ?? '', first.getBoundingClientRect().top];
      })) as [string, number];
      // Read before and after the loading only: between the drawing of older rows and the correction of the position
      // (both before the same frame) a script can read a position that nobody sees.
      await visitor.waitFor(`${botRow} .text`, 'I am the demo bot');
      const { top } = await visitor.waitUntilStill(`${botRow} .text`, text);
      assert.ok(Math.abs(top - at) < 3, `the message moved from ${at} to ${top}`);
    },
  },
];
