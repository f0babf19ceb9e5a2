// fast-check arbitraries of configurations and views for tests.
import fc from 'fast-check';
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import { fieldNames, fields } from '../../protocol/page-api/config-layers.ts';
import { url } from '../../protocol/page-api/field-kinds.ts';
import { type Control, controlOf } from './controls/fields.ts';
import type { View } from './setup.ts';

/** Text that a user can enter: whole characters without NUL, which HTML cannot contain. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('</script>', '<!--', '"&quot;&amp;', "'>", 'a\r\nb', ' x ', '%41+&=#', '{{}}', '`\\n$1'),
  )
  .filter((value) => !value.includes('\0'));
const filled = text.filter((value) => value !== '');

/** The values of each control. */
const values: Record<Exclude<Control, 'choice' | 'number' | 'none'>, fc.Arbitrary<unknown>> = {
  text: filled,
  clearable: text,
  flag: fc.boolean(),
  color: fc.stringMatching(/^#([\da-fA-F]{3}){1,2}$/),
  link: fc.oneof(
    fc.record({ title: filled, link: text }),
    fc.record({ title: filled }),
    fc.record({ link: filled }),
  ),
  list: fc.array(text),
  object: fc.dictionary(text, fc.oneof(text, fc.dictionary(fc.constantFrom('one', 'other'), text)), {
    noNullPrototype: true,
  }),
};

const rule = fc.record(
  {
    id: fc.uuid(),
    text: fc.constantFrom('Help?', { en: 'Help?', de: 'Hilfe?' }),
    show: fc.constantFrom('visitor', 'session', 'always'),
    when: fc.record(
      { delaySeconds: fc.nat(), url: fc.constantFrom('/a*', ['/a', '/b']) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['id', 'text'] },
);

function valuesOf(name: FieldName): fc.Arbitrary<unknown> {
  const [kind] = fields[name];
  const control = controlOf(kind);
  if (kind === url) return fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.constant('/a"b.png?x&y'));
  if (name === 'fileTypes') return fc.constantFrom('image/*', 'Image/PNG, application/pdf', ' a/b ');
  if (name === 'proactive') return fc.uniqueArray(rule, { selector: ({ id }) => id });
  if (control === 'choice') return fc.constantFrom(...(kind.values ?? []));
  if (control === 'number') {
    const bounds = { min: kind.min ?? 0, max: kind.max ?? 0, noNaN: true };
    // JSON writes -0 as 0.
    return fc
      .oneof(fc.double(bounds), fc.integer({ min: Math.ceil(bounds.min), max: bounds.max }))
      .map((n) => n + 0);
  }
  return control === 'none' ? fc.constant(undefined) : values[control];
}

/** Any fields, each with a valid value. */
export const configurations: fc.Arbitrary<Configuration> = fc
  .record(Object.fromEntries(fieldNames.map((name) => [name, valuesOf(name)])), { requiredKeys: [] })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Configuration,
  );

export const views: fc.Arbitrary<View> = fc.record({
  frame: fc.constantFrom('phone', 'desktop'),
  ground: fc.constantFrom('light', 'dark'),
  dir: fc.constantFrom('ltr', 'rtl'),
  lang: fc.constantFrom('en', 'de', 'pt-BR', 'zh-Hant-TW'),
  bot: fc.constantFrom('demo', 'my_bot', '3f2a-11'),
});
