// One question of the form, with its control and what is wrong with the answer.
import type { ComponentChild } from 'preact';
import type { Link } from '../../../protocol/page-api/field-kinds.ts';
import { interpolate } from '../../i18n/current.ts';
import type { Problem } from './check-answers.ts';
import type { Field } from './read-form.ts';
import { strings } from './strings.ts';

interface Props {
  field: Field;
  /** The answers are being sent. */
  isBusy: boolean;
  value: string;
  problem: Problem | undefined;
}

/** Ids of the window: a site can name its fields as it likes. */
const idOf = ({ name }: Field): string =>
  `pre-chat-${name.replace(/[^\w-]/g, (char) => `_${char.charCodeAt(0)}`)}`;

function wordsOf(problem: Problem, { kind, maxLength }: Field): string {
  if (problem === 'missing') return kind === 'consent' ? strings.formConsent : strings.formMissing;
  if (problem === 'email') return strings.formNoEmail;
  return problem === 'long' ? interpolate(strings.formLongest, { value: maxLength }) : strings.formCharacters;
}

function described({ field, problem }: Props) {
  const id = idOf(field);
  return {
    attributes: {
      id,
      name: field.name,
      'aria-invalid': problem !== undefined,
      'aria-describedby': problem ? `${id}-error` : undefined,
      'aria-required': field.isRequired,
    },
    error: problem && (
      <p id={`${id}-error`} class="pre-chat-error">
        {wordsOf(problem, field)}
      </p>
    ),
  };
}

/** Addresses are left to right in all languages. */
const addressControl = { type: 'email', autocomplete: 'email', dir: 'ltr' } as const;

const textControl = (kind: Field['kind'], value: string) => ({
  type: 'text' as const,
  autocomplete: kind === 'name' ? 'name' : 'off',
  // With `auto`, an empty control would be left to right, as addresses are.
  dir: value ? ('auto' as const) : undefined,
  onInput({ currentTarget }: { currentTarget: HTMLInputElement }) {
    currentTarget.dir = currentTarget.value && 'auto';
  },
});

export function FieldView(props: Props) {
  const { field, isBusy, value } = props;
  const { kind, label, isRequired, options } = field;
  const { attributes, error } = described(props);
  const own = { name: strings.formName, email: strings.formEmail, topic: strings.formTopic } as const;
  return (
    <div class="pre-chat-field">
      <label for={attributes.id}>
        <bdi>{label || own[kind as keyof typeof own]}</bdi>
        {!isRequired && <small> ({strings.formOptional})</small>}
      </label>
      {options ? (
        <select {...attributes} class="pre-chat-input" disabled={isBusy}>
          <option value="">–</option>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          {...(kind === 'email' ? addressControl : textControl(kind, value))}
          class="pre-chat-input"
          readOnly={isBusy}
          defaultValue={value}
        />
      )}
      {error}
    </div>
  );
}

export function Consent({ policy, ...props }: Props & { policy: Link | undefined }) {
  const { field, isBusy, value } = props;
  const { attributes, error } = described(props);
  return (
    <div class="pre-chat-field">
      <label class="pre-chat-consent">
        <input type="checkbox" {...attributes} disabled={isBusy} defaultChecked={value !== ''} />
        <span dir="auto">{field.label}</span>
      </label>
      {error}
      {policyLink(policy)}
    </div>
  );
}

/** The privacy policy of the site, if its configuration has an address that a visitor may follow. */
function policyLink(policy: Link | undefined): ComponentChild {
  const { link, title } = policy ?? {};
  if (!link) return null;
  try {
    const { href, protocol } = new URL(String(link).trim(), location.href);
    if (!/^https?:$/.test(protocol)) return null;
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        <bdi>{String(title || link)}</bdi>
        <span class="visually-hidden"> ({strings.newTab})</span>
      </a>
    );
  } catch {
    return null;
  }
}
