// A form with labelled fields. A refusal is shown at its field, or above all of them.
import { t } from '../ui/texts.ts';
import { create } from './elements.ts';
import { Refusal } from './session-api.ts';

export interface Field {
  /** The name of the field in requests and refusals. */
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  /** Explains what is expected, below the field. */
  hint?: string;
}

export interface Form {
  element: HTMLFormElement;
  first: HTMLInputElement;
  /** The text of a field. */
  textOf(name: string): string;
  /** Shows what is missing in these fields, and returns whether all of them have a text. */
  isFilled(names: readonly string[]): boolean;
  /** Runs a request once at a time, and shows its refusal. */
  run(work: () => Promise<void>): Promise<void>;
  /** Shows a text above the fields. */
  inform(text: string): void;
}

const missing = (): Record<string, string> => ({
  email: t('Enter your e-mail address.'),
  password: t('Enter your password.'),
  displayName: t('Enter your name.'),
});

/** `onSubmit` is called when the form is sent by its button or by Enter. */
export function createForm(
  fields: readonly Field[],
  onSubmit: (form: Form) => void,
  ...actions: Node[]
): Form {
  // Present from the beginning: screen readers do not announce a region that appears with its text.
  const refusal = create('div', { class: 'refusal', role: 'alert' });
  const notice = create('div', { class: 'notice', role: 'status' });
  const inputs = new Map<string, HTMLInputElement>();
  const problems = new Map<string, HTMLElement>();
  const rows = fields.map(({ name, label, type, autocomplete, hint }) => {
    const described = [hint && `${name}-hint`, `${name}-problem`].filter(Boolean).join(' ');
    const input = create('input', {
      id: name,
      name,
      type,
      autocomplete,
      'aria-describedby': described,
      ...(type === 'email' ? { inputmode: 'email', autocapitalize: 'none', spellcheck: 'false' } : {}),
    });
    const problem = create('p', { id: `${name}-problem`, class: 'problem' });
    inputs.set(name, input);
    problems.set(name, problem);
    input.addEventListener('input', () => mark(name, ''));
    const text = hint && create('p', { id: `${name}-hint`, class: 'hint' }, hint);
    return create(
      'div',
      { class: 'field' },
      create('label', { for: name }, label),
      input,
      text || undefined,
      problem,
    );
  });
  const element = create('form', { novalidate: true }, refusal, notice, ...rows, ...actions);
  let isRunning = false;

  function mark(name: string, text: string): void {
    const input = inputs.get(name);
    if (text) input?.setAttribute('aria-invalid', 'true');
    else input?.removeAttribute('aria-invalid');
    problems.get(name)?.replaceChildren(text);
  }

  function clear(): void {
    for (const name of inputs.keys()) mark(name, '');
    refusal.textContent = '';
    notice.textContent = '';
  }

  const form: Form = {
    element,
    first: inputs.get(fields[0]?.name ?? '') as HTMLInputElement,
    textOf: (name) => inputs.get(name)?.value ?? '',
    isFilled(names) {
      clear();
      const empty = names.filter((name) => form.textOf(name) === '');
      for (const name of empty) mark(name, missing()[name] ?? t('Enter something.'));
      inputs.get(empty[0] ?? '')?.focus();
      return empty.length === 0;
    },
    async run(work) {
      if (isRunning) return;
      isRunning = true;
      clear();
      // Not disabled: focus would be lost.
      element.setAttribute('aria-busy', 'true');
      try {
        await work();
      } catch (error) {
        const { message, field = '' } = error as Partial<Refusal>;
        const text = error instanceof Refusal ? (message ?? '') : t('Something failed. Reload the page.');
        const input = inputs.get(field);
        if (input) {
          mark(field, text);
          input.focus();
        } else refusal.textContent = text;
      } finally {
        isRunning = false;
        element.removeAttribute('aria-busy');
      }
    },
    inform(text) {
      clear();
      notice.textContent = text;
    },
  };
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit(form);
  });
  return form;
}

/** The field for a password that a member chooses. */
export const newPassword = (label = t('New password')): Field => ({
  name: 'password',
  label,
  type: 'password',
  autocomplete: 'new-password',
  hint: t('At least 12 characters, such as four words that do not belong together.'),
});
