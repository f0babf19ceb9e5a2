// The HTML snippet to copy, in three forms, and the content security policy that it needs.
import { useState } from 'preact/hooks';
import { contentSecurityPolicy } from '../../protocol/page-api/csp.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { secrets } from './controls/fields.ts';
import { type Setup, setFields } from './setup.ts';
import { type SnippetForm, snippetOf } from './snippet.ts';

const forms: Record<SnippetForm, { label: string; help: string }> = {
  attributes: {
    label: 'Attributes',
    help: 'One static file for every site; the tag has the configuration. A content security policy must allow one script.',
  },
  init: {
    label: 'init()',
    help: 'For pages that configure the chat at run time, or start it after a consent.',
  },
  served: {
    label: 'Served',
    help: 'The server inserts the saved configuration into the script: one request, and later changes need no new snippet.',
  },
};

export function Code({ base, setup: { configuration, view } }: { base: string; setup: Setup }) {
  const [form, setForm] = useState<SnippetForm>('attributes');
  const text = snippetOf(form, configuration, { base, bot: view.bot });
  const set = setFields(configuration);
  const policy = contentSecurityPolicy({
    chatUrl: `${base}chat/${view.bot}`,
    configuration,
    // The inline script of this form needs one; the page writes a new nonce for each response.
    ...(form === 'init' ? { nonce: 'R4nd0m' } : {}),
  });
  const header = `Content-Security-Policy: ${policy.header}`;
  return (
    <>
      <fieldset class="segments" aria-label="Form of the snippet">
        {Object.entries(forms).map(([name, { label }]) => (
          <label key={name}>
            <input
              type="radio"
              name="form"
              checked={form === name}
              onChange={() => setForm(name as SnippetForm)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <p class="help">{forms[form].help}</p>
      <section class="code" aria-label="Snippet">
        <pre>{text}</pre>
      </section>
      {form === 'served' && set.length > 0 && (
        <p class="notice">
          This form uses the saved configuration. Save the fields that are set here on the Server tab first.
        </p>
      )}
      {form !== 'served' && set.some((name) => secrets.includes(name)) && (
        <p class="notice">Every visitor can read an admin key in a page.</p>
      )}
      <CopyButton label="Copy snippet" text={() => text} />
      <details class="policy">
        <summary>Content security policy</summary>
        <p class="help">
          The header that a page without other content needs for these fields. Add the sources of your page.
          {form === 'init' && ' Replace the nonce for each response, and write it into both script tags.'}
        </p>
        <section class="code" aria-label="Header">
          <code>{header.replaceAll('; ', ';\n  ')}</code>
        </section>
        <CopyButton label="Copy header" text={() => header} />
      </details>
    </>
  );
}
