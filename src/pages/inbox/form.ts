// A form with labelled fields. A refusal is shown at its field, or above all of them.
import { button, create } from './elements.ts';
import { call, Refusal } from './session-api.ts';

export interface Field {
  /** The name of the field in requests and refusals. */
  name: string;
  label: string;
  type: 'email' | 'password';
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

const missing: Record<string, string> = {
  email: 'Enter your e-mail address.',
  password: 'Enter your password.',
  currentPassword: 'Enter your current password.',
};

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
      text || undefined,
      input,
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
      for (const name of empty) mark(name, missing[name] ?? 'Enter something.');
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
        const text = error instanceof Refusal ? (message ?? '') : 'Something failed. Reload the page.';
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

// The form in which a member who has signed in changes their password. It is folded until it is wanted.

/** The field for a password that a member chooses. */
export const newPassword: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 12 characters, such as four words that do not belong together.',
};

const currentPassword: Field = {
  name: 'currentPassword',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
};

/** Creates the form. `onChanged` is called when the password has changed, which ends all other sessions. */
export function createPasswordForm(onChanged: () => Promise<void>): HTMLElement {
  const { element } = createForm(
    [currentPassword, newPassword],
    ({ isFilled, run, textOf, inform }) => {
      if (!isFilled(['currentPassword', 'password'])) return;
      void run(async () => {
        await call('PUT', '/password', {
          currentPassword: textOf('currentPassword'),
          password: textOf('password'),
        });
        element.reset();
        inform('Your password has changed. Your other sessions have ended.');
        await onChanged();
      });
    },
    button('Change the password', 'main'),
  );
  return create('details', {}, create('summary', {}, 'Change your password'), element);
}
