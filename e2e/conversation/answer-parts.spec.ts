// Steps, sources and suggestions of answers: live and after a reload.
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

const button = (chat: ChatPage, name: string | RegExp) => chat.botRows.last().getByRole('button', { name });
const running = (chat: ChatPage) => chat.window.locator('.mark:empty');

const sources = [
  { source: { title: 'Returns', url: 'https://example.com/returns' } },
  { source: { title: 'Terms of sale' } },
];
const search = { tool: { name: 'search', title: 'Searching orders', input: { id: 'A-1' } } };

test('a running answer shows its steps before its text, and a completed one their results', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({
    stream: [
      { status: 'Thinking' },
      { reasoning: 'The number begins with A.' },
      search,
      { until: gate.url },
      { done: 'search', output: { status: 'sent' } },
      { tool: { name: 'ask', title: 'Asking the warehouse' } },
      { failed: 'ask', text: 'It is closed.' },
      ...sources,
      'Within **thirty** days [1], ',
      'as `code [1]` says [2] and [3].',
      { suggest: ['Send it back', { label: 'Track it', value: 'Where is it?' }] },
    ],
  });
  const answer = chat.botRows.last();
  // The group has the name of what is running.
  await expect(button(chat, /^Searching orders/)).toHaveAttribute('aria-expanded', 'false');
  await expect(answer.getByText('Thinking')).toBeVisible();
  await expect(running(chat)).toHaveCount(2);
  gate.open();
  const steps = button(chat, /^3 steps/);
  await expect(steps).toBeVisible();
  await expect(answer.getByText('Thinking')).toHaveCount(0);
  await expect(running(chat)).toHaveCount(0);
  // The answer is good although one step has failed.
  await expect(steps).toHaveText('3 steps');
  await expect(answer.locator('[data-state="stepFailed"]')).toHaveCount(0);

  for (const isReloaded of [false, true]) {
    if (isReloaded) {
      await chat.reopen();
    }
    // By keyboard alone; the focus stays on the button.
    await steps.focus();
    await page.keyboard.press('Enter');
    await expect(steps).toHaveAttribute('aria-expanded', 'true');
    await expect(steps).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(button(chat, /^Reasoning/)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(answer.getByRole('group', { name: 'Reasoning' })).toHaveText('The number begins with A.');
    await button(chat, /^Searching orders.*Done/).click();
    await expect(answer.getByRole('group', { name: 'Input' }).locator('dl')).toHaveText('IDA-1');
    await expect(answer.getByRole('group', { name: 'Output' }).locator('dl')).toHaveText('Statussent');
    await button(chat, /^Asking the warehouse.*Failed/).click();
    await expect(answer.getByText('It is closed.')).toBeVisible();

    // Numbers in code, and those without a source, are text.
    await expect(answer.locator('.cite')).toHaveText(['1', '2']);
    await expect(button(chat, '2 sources')).toHaveAttribute('aria-expanded', 'false');
    await answer.locator('.cite').first().click();
    const link = answer.getByRole('link', { name: 'Returns' });
    await expect(link).toBeFocused();
    await expect(link).toHaveAttribute('href', 'https://example.com/returns');
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(answer.getByText('example.com')).toBeVisible();
  }
  // Under the newest message only.
  await button(chat, 'Track it').click();
  await expect(chat.rows.filter({ hasText: /^You: Where is it\?/ })).toHaveCount(1);
  await expect(chat.window.locator('[part="suggestions"]')).toHaveCount(0);
});

test('nothing above the newest line of a streaming answer changes its height', async ({ chat }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  const paragraphs = Array.from({ length: 30 }, (_, n) => `Paragraph ${n} and **some** words.\n\n`);
  await chat.instructBot({
    stream: [
      { status: 'Thinking' },
      { reasoning: 'The number begins with A.' },
      search,
      { until: gate.url },
      { done: 'search', output: { status: 'sent' } },
      ...paragraphs.slice(0, 15),
      { status: 'Reading' },
      ...paragraphs.slice(15),
      ...sources,
    ],
  });
  const answer = chat.botRows.last();
  await expect(button(chat, /^Searching orders/)).toBeVisible();
  // The extras make messages taller, and are loaded at the end of an answer at the latest.
  const viewport = chat.window.locator('.viewport');
  await viewport.hover();
  await expect(chat.botRows.first().locator('.acts')).toBeAttached();
  // In each frame: the heights of the earlier rows, of the steps, and of the paragraphs that others follow.
  await viewport.evaluate((element) => {
    const heights: Record<string, number[]> = {};
    const note = (name: string, one: Element | undefined | null) => {
      const height = Math.round(one?.getBoundingClientRect().height ?? 0);
      heights[name] ??= [];
      if (one && heights[name].at(-1) !== height) heights[name].push(height);
    };
    const look = () => {
      const rows = [...element.querySelectorAll('.row')];
      const last = rows.pop();
      for (const [n, row] of rows.entries()) note(`row ${n}`, row);
      note('steps', last?.querySelector('[aria-expanded]'));
      const drawn = [...(last?.querySelectorAll('p') ?? [])].filter((one) =>
        one.textContent?.startsWith('Par'),
      );
      for (const [n, one] of drawn.slice(0, -1).entries()) note(`paragraph ${n}`, one);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { heights });
  });
  gate.open();
  await expect(button(chat, '2 sources')).toBeVisible();
  await expect(answer).toContainText('Paragraph 29');
  const noted = () =>
    chat.page.evaluate(() => (window as unknown as { heights: Record<string, number[]> }).heights);
  // The last paragraphs are noted in the frame after they were drawn.
  await expect
    .poll(async () => Object.keys(await noted()))
    .toEqual(expect.arrayContaining(['row 0', 'steps', 'paragraph 0', 'paragraph 28']));
  expect(Object.entries(await noted()).filter(([, values]) => values.length !== 1)).toEqual([]);
  await expect(answer.locator('[aria-expanded="true"]')).toHaveCount(0);
});

test('an opened part is loaded again, and a citation opens its source', async ({ chat, page }) => {
  const bundle = /\/interactive-\w+\.js/;
  await page.route(bundle, (route) => route.abort());
  await chat.startConversation();
  const source = { title: 'Terms', url: 'https://example.com/terms', page: 3, snippet: '<b>Thirty</b> days' };
  await chat.instructBot({ stream: [search, { done: 'search', output: 1 }, { source }, 'See [1].'] });
  const answer = chat.botRows.last();
  await button(chat, /^Searching orders/).click();
  await expect(button(chat, 'Try again')).toBeVisible();
  await page.unroute(bundle);
  await button(chat, 'Try again').click();
  await expect(answer.getByRole('group', { name: 'Input' }).locator('dl')).toHaveText('IDA-1');
  // The full stop is in the line of the citation, whatever the width.
  const alone = await answer.locator('.cite').evaluate((cite) => {
    const text = cite.closest('p') as HTMLElement;
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    let last = walker.nextNode();
    for (let next = last; next; next = walker.nextNode()) if (next.textContent) last = next;
    const stop = document.createRange();
    stop.selectNodeContents(last as Node);
    const widths = Array.from({ length: 60 }, (_, i) => 30 + i);
    const found = widths.filter((width) => {
      text.style.width = `${width}px`;
      return stop.getBoundingClientRect().top > cite.getBoundingClientRect().bottom - 4;
    });
    text.style.width = '';
    return { found, stop: stop.toString() };
  });
  expect(alone).toEqual({ found: [], stop: '.' });
  await answer.locator('.cite').click();
  await expect(answer.getByRole('link', { name: 'Terms' })).toBeFocused();
  await expect(answer.getByRole('listitem')).toHaveText(['1Termsexample.comPage 3<b>Thirty</b> days']);
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('long values are fetched when a step is opened; stored steps change in place', async ({ chat }) => {
  await chat.startConversation();
  const parts = [
    { id: 'a', type: 'tool', toolName: 'export', state: 'output-available', output: 'x'.repeat(1_500) },
    { id: 'b', type: 'tool', toolName: 'send', title: 'Sending', state: 'output-available' },
  ];
  await chat.instructBot({ reply: [{ type: 'markdown', markdown: 'Done.' }], parts });
  await button(chat, /^2 steps/).click();
  const fetched = () => chat.requests.filter((url) => /\/messages\/\w+$/.test(url)).length;
  expect(fetched()).toBe(0);
  await button(chat, /^export/).click();
  const output = chat.botRows.last().getByRole('group', { name: 'Output' });
  await expect(output).toHaveText(`Output${'x'.repeat(200)}… Show more`);
  await button(chat, 'Show more').click();
  await expect(output).toHaveText(`Output${'x'.repeat(1_500)}`);
  expect(fetched()).toBe(1);
  const { id } = (await chat.serverMessages()).at(-1) ?? {};
  await chat.instructBot({
    updatePart: [id, 'b', { state: 'output-error', errorText: 'Refused by the mail server.' }],
  });
  await expect(chat.window.getByText(/^Sending/).first()).toBeVisible();
  await expect(chat.window.getByRole('button', { name: /^Sending.*Failed/ })).toBeVisible();
});

test('hostile texts and addresses stay text, and a hundred parts fit the window', async ({ chat, page }) => {
  await chat.startConversation();
  const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
  const long = 'w'.repeat(300);
  const texts = [evil, long, '\u202eevil', '[x](javascript:window.evil=1)', '__proto__'];
  const failed = { type: 'tool', state: 'output-error' };
  const parts = [
    ...texts.map((text, i) => ({ ...failed, id: `t${i}`, toolName: text, input: text, errorText: text })),
    ...texts.map((text, i) => ({
      type: 'source',
      id: `s${i}`,
      title: text,
      url: `https://example.com/${i}`,
    })),
    { id: 'constructor', type: 'reasoning', text: evil, state: 'done', startedAt: new Date().toISOString() },
    { id: 'block', type: 'block', name: evil, data: {}, fallback: evil },
    { id: 'suggestions', type: 'suggestions', items: [{ label: '<b>bold</b>'.repeat(5) }] },
    ...Array.from({ length: 80 }, (_, i) => ({ ...failed, id: `m${i}`, toolName: long })),
  ];
  await chat.instructBot({ reply: [{ type: 'markdown', markdown: 'See [1] and [5].' }], parts });
  const answer = chat.botRows.last();
  await expect(answer.locator('.cite')).toHaveCount(2);
  for (const fold of await answer.locator('.words > .fold > button').all()) await fold.click();
  for (const fold of await answer.locator('.step-list button').all()) await fold.click();
  await expect(answer.locator('.source-list li')).toHaveCount(5);
  expect(await answer.locator('img, script, b').count()).toBe(0);
  expect(await page.evaluate(() => 'evil' in window)).toBe(false);
  const overflow = await chat.window.locator('.viewport').evaluate((e) => e.scrollWidth - e.clientWidth);
  expect(overflow).toBe(0);
});

test('without the bundle of parts the text is shown alone', async ({ chat, page }) => {
  await page.route(/\/answers-\w+\.js$/, (route) => route.abort());
  await chat.startConversation();
  await chat.instructBot({ stream: [search, { done: 'search' }, ...sources, 'The answer [1].'] });
  await expect(chat.botRows.last().locator('.bubble')).toContainText('The answer [1].');
  await expect(chat.window.locator('.fold')).toHaveCount(0);
  chat.ignoreConsoleErrors(/Failed to load resource|parts-/);
});
