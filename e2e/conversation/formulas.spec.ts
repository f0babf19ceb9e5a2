// Formulas in answers are MathML. Their bundle loads with the first formula. The pages have a strict content security
// policy.
import { violations } from '../support/axe.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

const text = [
  'The solutions of $ax^2 + bx + c = 0$ are',
  '$$\nx_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$',
  'A matrix and cases:',
  '\\[\nM = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}, \\quad |x| = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ -x & \\text{otherwise} \\end{cases}\n\\]',
  '- First \\(\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}\\)\n- then $\\cancel{x} = \\boxed{42}$, $\\vec{v} \\cdot \\hat{n}$',
  '$$\\begin{aligned} f(x) &= (x+1)^2 \\\\ &= x^2 + 2x + 1 \\end{aligned} \\tag{1}$$',
  'A wide one: $a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} = b$.',
  'It costs $5 or $10; $\\unknown{x}$ cannot be read.',
].join('\n\n');

const scripts = (urls: string[]) => urls.filter((url) => /\/math-[\w-]{6}\.js$/.test(url));

test('formulas are drawn, also those that were streamed, and nothing else is requested', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.botReplies({ type: 'markdown', markdown: 'No formula, for $5 or $10.' });
  await expect(chat.botRows.last().locator('.markdown')).toBeVisible();
  expect(scripts(chat.requests)).toEqual([]);

  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['So $a^2$ and $b_', { until: gate.url }, '1$.'] });
  const streamed = chat.botRows.last();
  await expect(streamed.locator('math')).toHaveCount(1);
  await expect(streamed.locator('.markdown p')).not.toContainText('b_');
  gate.open();
  await expect(streamed.locator('math')).toHaveCount(2);

  const row = await chat.botReplies({ type: 'markdown', markdown: text });
  await expect(row.locator('math')).toHaveCount(8);
  await expect(row.locator('.waiting')).toHaveCount(0);
  await expect(row).toContainText('It costs $5 or $10; $\\unknown{x}$ cannot be read.');
  const [bundle = '', ...others] = scripts(chat.requests);
  expect(others).toEqual([]);
  const response = await page.request.get(bundle, { headers: { 'accept-encoding': 'br' } });
  expect(Number(response.headers()['content-length'])).toBeLessThanOrEqual(42_000);
  expect(chat.requests.filter((url) => /\.(woff2?|ttf|css)$/.test(url))).toEqual([]);
  // The policy of the page does not remove the styles of copies: a formula on its own line is centred, columns are aligned.
  const display = row.locator('.formula[role=group]').first();
  await expect(display).toHaveCSS('text-align', 'center');
  const cell = row.locator('mtd').first();
  expect(await cell.evaluate((element) => element.getAttribute('style'))).toContain('padding');
  chat.expectNoConsoleErrors();

  await chat.reopen();
  await expect(chat.botRows.last().locator('math')).toHaveCount(8);
  expect(await violations(page)).toEqual([]);
});

test('a formula that is wider than a phone scrolls in its bubble', async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: text });
  await expect(row.locator('math')).toHaveCount(8);
  const bubble = await row.locator('.bubble').evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return { overflow: element.scrollWidth - element.clientWidth, left, right };
  });
  expect(bubble.overflow).toBeLessThanOrEqual(0);
  const wide = row.locator('.formula').filter({ hasText: 'a_{13}' });
  const [inner, outer] = await wide.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(inner).toBeGreaterThan(outer as number);
  for (const box of await row.locator('.formula').all()) {
    const { left, right } = await box.evaluate((element) => element.getBoundingClientRect().toJSON());
    expect(left).toBeGreaterThanOrEqual(bubble.left);
    expect(right).toBeLessThanOrEqual(bubble.right + 1);
  }
});

test('what is crossed out stays crossed out in forced colors', async ({ chat, page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: 'So $\\cancel{x} = y$.' });
  const crossed = row.locator('mrow[style*=gradient]');
  await expect(crossed).toHaveCSS('background-image', /gradient/);
  const color = (element: Element) => getComputedStyle(element).color;
  expect(await crossed.evaluate(color)).toBe(await row.locator('math').evaluate(color));
});

test('the source of a formula is shown if the bundle cannot be loaded', async ({ chat, page }) => {
  await chat.startConversation();
  await page.route(/\/math-[\w-]{6}\.js$/, (route) => route.abort());
  const row = await chat.botReplies({ type: 'markdown', markdown: 'So $a^2$.' });
  // The source is there before the failure, too.
  await expect.poll(() => chat.consoleErrors.join()).toContain('net::ERR_FAILED');
  await expect(row.getByText('$a^2$')).toBeVisible();
  chat.ignoreConsoleErrors('net::ERR_FAILED');
});
