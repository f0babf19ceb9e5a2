// The snippet to copy, in the form that suits the site.
import { useState } from 'preact/hooks';
import { CopyButton } from './CopyButton.tsx';
import { secrets } from './fields.ts';
import { type Setup, setFields } from './setup.ts';
import { type Form, snippetOf } from './snippet.ts';

const forms: Record<Form, { label: string; help: string }> = {
  attributes: {
    label: 'Attributes',
    help: 'One static file for every site; the tag carries what is set. A content security policy has to allow one script.',
  },
  init: {
    label: 'init()',
    help: 'For pages that decide at run time, or start the chat after a consent.',
  },
  served: {
    label: 'Served',
    help: 'The server puts the saved configuration into the script: one request, and later changes need no new snippet.',
  },
};

export function Code({ base, setup: { configuration, view } }: { base: string; setup: Setup }) {
  const [form, setForm] = useState<Form>('attributes');
  const text = snippetOf(form, configuration, { base, bot: view.bot });
  const set = setFields(configuration);
  return (
    <>
      <fieldset class="segments" aria-label="Form of the snippet">
        {Object.entries(forms).map(([name, { label }]) => (
          <label key={name}>
            <input type="radio" name="form" checked={form === name} onChange={() => setForm(name as Form)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <p class="help">{forms[form].help}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard. */}
      <section class="code" tabIndex={0} aria-label="Snippet">
        <pre>{text}</pre>
      </section>
      {form === 'served' && set.length > 0 && (
        <p class="notice">It shows what is saved. Save the fields that are set here under Server first.</p>
      )}
      {form !== 'served' && set.some((name) => secrets.includes(name)) && (
        <p class="notice">An admin key in a page is there for every visitor to read.</p>
      )}
      <CopyButton label="Copy snippet" text={() => text} />
    </>
  );
}
