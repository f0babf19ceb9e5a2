// Tests of the live chats of the documentation: each field of the configuration and each payload has a sample that shows something.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import * as markdown from '../../../../scripts/docs/markdown.mjs';
import { fieldNames, fields } from '../../../protocol/page-api/config-layers.ts';
import { isBlank, readValue, unsupported } from '../../../protocol/page-api/field-kinds.ts';
import { payload } from '../../../protocol/schemas/payloads.ts';
import { descriptors } from '../../../widget/chat/payloads/descriptors.ts';
import { fieldTrial } from './field-samples.ts';
import { payloadSamples } from './payload-samples.ts';

const { renderMarkdown } = markdown as unknown as {
  renderMarkdown(file: string, text: string): Promise<{ html: string }>;
};
const site = 'https://docs.example/';

/** The names in the buttons of a page. */
async function buttonsOf(file: string, kind: 'field' | 'payload') {
  const text = readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
  const { html } = await renderMarkdown(file, text);
  return [...html.matchAll(new RegExp(`<button[^>]* data-try-${kind}="(\\w+)"`, 'g'))].map(
    ([, name]) => name,
  );
}

const tryable = fieldNames.filter((name) => fields[name][0] !== unsupported);

test('each supported field of the configuration has one button in its reference', async () => {
  expect((await buttonsOf('docs/reference/configuration.md', 'field')).toSorted()).toEqual(
    tryable.toSorted(),
  );
});

test('each payload type has one button in its reference', async () => {
  expect((await buttonsOf('docs/reference/messages.md', 'payload')).toSorted()).toEqual(
    Object.keys(descriptors).toSorted(),
  );
});

test.each(tryable)('the sample of %s is a valid value, and not the default', (name) => {
  const [kind, byDefault] = fields[name];
  const { value } = fieldTrial(name, site);
  expect(isBlank(kind, value)).toBe(false);
  expect(readValue(kind, value)).toEqual(value);
  expect(value).not.toEqual(byDefault);
});

test('the sample of strings has keys of texts', () => {
  const { widget } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../locales/en.json'), 'utf8'),
  ) as { widget: Record<string, object> };
  const keys = Object.values(widget).flatMap((section) => Object.keys(section));
  const { value } = fieldTrial('strings', site);
  expect(Object.keys(value as object).filter((key) => !keys.includes(key))).toEqual([]);
});

test.each(Object.entries(payloadSamples(site)))('the sample of %s is a valid payload', (type, sample) => {
  expect(sample.type).toBe(type);
  expect(v.safeParse(payload, sample).issues).toBeUndefined();
});
