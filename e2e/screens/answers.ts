// The states of answers: payloads of all types, steps and sources, questions, and parts that the bot or the page draws.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect } from '../support/fixtures.ts';
import { payloads } from './payloads.ts';
import type { Scene, State, WidgetStage } from './state.ts';
import { button, newConversation } from './visitor.ts';

/** The states of a scene, each of which stays visible in the next one. */
const together = (states: State<WidgetStage>[]): State<WidgetStage>[] =>
  states.map((state, index) => ({ ...state, stays: index < states.length - 1 }));

export const payloadStates: State<WidgetStage>[] = Object.entries(payloads).map(([name, make]) => ({
  name,
  async enter({ chat }) {
    const row = await chat.botReplies(await make(chat));
    if (name === 'markdown') await expect(row.getByRole('table')).toBeVisible();
    // The chunk that renders it has loaded.
    await expect(row.locator('.bubble > :not(.visually-hidden)').first()).toBeAttached();
  },
}));

/** An app without styles, and without the library for apps. */
const app = `<!doctype html><html lang="en"><title>Forecast</title><body>
<main><h1>Forecast for Bern</h1><p>21 degrees, and some wind.</p><button type="button">Tomorrow</button></main>
<script>
  addEventListener('message', ({ data }) => {
    if (data.id !== 1) return;
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 195 } }, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {
    protocolVersion: '2026-01-26', appInfo: { name: 'Forecast', version: '1' }, appCapabilities: {},
  } }, '*');
</script>`;

/** In the page: draws blocks with the name "order". */
function registerOrder(): void {
  (window.platform as Platform).registerBlock<{ id: string; days: number }>({
    name: 'order',
    render({ id, days }, element) {
      const words = Object.assign(document.createElement('p'), {
        textContent: `Order ${id}: in ${days} days`,
      });
      const link = Object.assign(document.createElement('a'), { textContent: 'Follow it', href: '#order' });
      element.append(words, link);
    },
    describe: ({ id }) => `Order ${id}`,
  });
}

export const answerScenes: Scene<WidgetStage>[] = [
  { surface: 'Answers', begin: newConversation, isSeparate: true, states: together(payloadStates) },
  {
    surface: 'Answers',
    async begin(stage) {
      await newConversation(stage);
      await stage.chat.botReplies(await payloads.choice(stage.chat));
    },
    states: [
      {
        name: 'answered',
        stays: true,
        async enter({ chat }) {
          await button(chat, 'Yes').last().click();
          await expect(button(chat, 'Yes').last()).toHaveAttribute('aria-pressed', 'true');
          // The bot answers.
          await expect(chat.botRows.last()).toContainText('Thank you');
        },
      },
      {
        name: 'scrolled up, with a new message below',
        async enter({ chat, page }) {
          for (const name of ['markdown', 'image'] as const)
            await chat.botReplies(await payloads[name](chat));
          // A wheel, because a position set by a script is lost when the answer before it grows in the same frame.
          await chat.window.locator('.viewport').hover();
          await page.mouse.wheel(0, -1_000);
          await expect(button(chat, 'Go to the newest message')).toBeVisible();
          await chat.botReplies({ type: 'text', text: 'Below' });
          await expect(button(chat, /new messages?$/)).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'streaming',
        async enter({ chat }) {
          const gate = await startRequestGate();
          await chat.instructBot({ stream: ['One ', 'two ', { until: gate.url }] });
          await expect(chat.botRows.last()).toHaveAttribute('data-status', 'streaming');
        },
      },
      {
        name: 'stopped',
        stays: true,
        async enter({ chat }) {
          await button(chat, 'Stop the answer').click();
          await expect(chat.botRows.last()).toHaveAttribute('data-status', 'aborted');
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'steps, running',
        async enter({ chat }) {
          const gate = await startRequestGate();
          await chat.instructBot({
            stream: [
              { status: 'Thinking' },
              { tool: { name: 'a', title: 'Searching' } },
              { until: gate.url },
            ],
          });
          await expect(chat.window.locator('.mark:empty')).toHaveCount(2);
        },
        leave: ({ chat }) => button(chat, 'Stop the answer').click(),
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'steps and sources, open',
        async enter({ chat }) {
          await chat.instructBot({
            stream: [
              { reasoning: 'It begins with A.' },
              { tool: { name: 'a', title: 'Searching', input: { id: 1 } } },
              { done: 'a', output: 'Found' },
              { tool: { name: 'b', title: 'Asking' } },
              { failed: 'b', text: 'Closed' },
              { source: { title: 'Returns', url: 'https://example.com' } },
              'Within thirty days [1].',
              { suggest: ['Send it back'] },
            ],
          });
          const answer = chat.botRows.last();
          await expect(chat.window.locator('[part="suggestions"]')).toBeVisible();
          for (const fold of await answer.locator('.words > .fold > button').all()) await fold.click();
          for (const fold of await answer.locator('.step-list button').all()) await fold.click();
          await expect(answer.getByRole('link', { name: 'Returns' })).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'sources, and an approval below them',
        async enter({ chat }) {
          await chat.instructBot({
            stream: [
              { source: { title: 'Returns', url: 'https://example.com' } },
              'Within thirty days [1].',
              { tool: { name: 'a', title: 'Return the order', input: { id: 'A-1' } } },
            ],
            ask: [{ reason: 'tool_call', message: 'Shall I return it?', tool: 'a' }],
          });
          await button(chat, '1 source').click();
          await expect(button(chat, 'Approve: Return the order')).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'a question, and a form with errors',
        async enter({ chat }) {
          await chat.instructBot({
            stream: ['It is ready. ', { tool: { name: 'a', title: 'Send a mail', input: { to: 'Ada' } } }],
            ask: [
              { reason: 'tool_call', message: 'Shall I send it?', tool: 'a' },
              {
                reason: 'input_required',
                message: 'Where to?',
                responseSchema: {
                  type: 'object',
                  properties: {
                    name: { type: 'string', title: 'Name', description: 'On the letter' },
                    day: { type: 'string', title: 'Day', format: 'date' },
                    size: { type: 'string', title: 'Size', enum: ['Small', 'Large'] },
                    extras: { type: 'array', title: 'Extras', items: { enum: ['Card', 'Ribbon'] } },
                    gift: { type: 'boolean', title: 'A gift' },
                  },
                  required: ['name', 'size'],
                },
              },
            ],
          });
          await chat.window.locator('.ask').getByText('JSON').click();
          await chat.window.locator('.ask-form [type="submit"]').click();
          await expect(chat.window.getByLabel('Name')).toBeFocused();
        },
      },
      {
        name: 'questions, settled and not answered',
        async enter({ chat }) {
          await button(chat, 'Approve: Send a mail').click();
          await expect(chat.window.getByText('Approved')).toBeVisible();
          await chat.send('Something else');
          await expect(chat.window.getByText('Not answered')).toBeVisible();
          await chat.window.locator('summary', { hasText: 'Approved' }).click();
          await expect(chat.botRows.last()).toContainText('Thank you');
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'a block that the page draws',
        async enter({ chat, page }) {
          await page.evaluate(registerOrder);
          const block = ['order', { id: 'A-1001', days: 2 }, 'Order A-1001'];
          await chat.instructBot({ stream: ['It is on its way:', { block }] });
          // It is in the page, and shown in a slot.
          await expect(page.getByRole('link', { name: 'Follow it' })).toBeVisible();
        },
      },
      {
        name: 'an app',
        async enter({ chat }) {
          const block = ['mcp-apps', { html: app, title: 'Forecast for Bern' }, 'Bern: 21 degrees'];
          await chat.instructBot({ stream: ['Here it is.', { block }] });
          const frame = chat.botRows.last().frameLocator('.app > iframe').frameLocator('iframe');
          await expect(frame.getByRole('button', { name: 'Tomorrow' })).toBeVisible();
        },
      },
    ],
  },
];
