// @vitest-environment jsdom
// Tests that a text which a language lacks is English, with and without strings of the site.
import { expect, test, vi } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import type { Widget } from '../launcher-chat-interface.ts';
import { plural } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';
import { applyLanguage } from './main.ts';

test('a missing text is English, and so is a text of which all plural forms are missing', async () => {
  const extras = { steps_one: '{count} krok', steps_few: '{count} kroky', steps_other: '{count} kroků' };
  vi.spyOn(catalogues, 'cs').mockResolvedValue({
    default: { widget: { launcher: { openChat: 'Otevřít' }, extras } },
  });
  const widget = {
    configuration: { locale: 'cs', strings: { sources: { one: 'A source' }, steps: { few: 'A few' } } },
    box: document.createElement('div'),
    frame: document.createElement('div'),
    signal: new AbortController().signal,
  } as unknown as Widget;
  const strings: Record<string, unknown> = {};
  expect(await applyLanguage(widget, strings)).toBe(true);
  expect(strings).toMatchObject({ openChat: 'Otevřít', closeChat: en.widget.launcher.closeChat });
  expect((strings.unread as (count: number) => string)(2)).toBe('Open chat, 2 unread messages');
  const parts = widget.language.translate?.(en.widget.parts) ?? en.widget.parts;
  expect(parts.reasoning).toBe(en.widget.parts.reasoning);
  expect([1, 2, 5].map((count) => plural(parts, 'steps', count, 'cs'))).toEqual([
    '1 krok',
    'A few',
    '5 kroků',
  ]);
  expect([1, 2, 5].map((count) => plural(parts, 'sources', count, 'cs'))).toEqual([
    'A source',
    '2 sources',
    '5 sources',
  ]);
});
