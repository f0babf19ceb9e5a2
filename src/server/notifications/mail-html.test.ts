// Tests of the HTML of mails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  mailButton,
  mailColors,
  mailHint,
  mailHtml,
  mailLink,
  mailMessage,
  mailParagraph,
} from './mail-html.ts';

test('mails have the colors of the pages in the light scheme', () => {
  const css = readFileSync(join(import.meta.dirname, '../../design/colors.css'), 'utf8');
  const [light = ''] = css.split('@media');
  for (const [name, color] of Object.entries(mailColors)) expect(light).toContain(`--${name}: ${color};`);
});

test('texts are escaped in each part of a mail', () => {
  const text = `<img src="x">'&`;
  const html = mailHtml({
    language: 'en',
    direction: 'ltr',
    from: text,
    title: text,
    content: [
      mailParagraph(text),
      mailHint(text),
      mailButton(text, text),
      mailMessage(text, text, { time: text }),
    ],
    footer: mailLink(text, text),
  });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('"x"');
  expect(html.match(/&lt;img src=&quot;x&quot;&gt;&#39;&amp;/g)).toHaveLength(12);
});

test('lines of a message stay lines', () => {
  expect(mailMessage('Ada', 'One\nTwo')).toContain('One<br>\nTwo');
});
