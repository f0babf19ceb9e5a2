// One field of the configuration: its name, its control, its description and its problem.
import { useEffect, useRef, useState } from 'preact/hooks';
import { fields } from '../../../protocol/page-api/config-layers.ts';
import { invalidValue } from '../../../protocol/page-api/configuration-problems.ts';
import { isBlank, type Kind, readValue } from '../../../protocol/page-api/field-kinds.ts';
import { withoutPrefix } from '../setup.ts';
import { codeParts, type FieldNote } from './field-notes.ts';
import { controlOf } from './fields.ts';
import { inputs } from './inputs.tsx';

interface Props {
  note: FieldNote;
  isHidden: boolean;
  value: unknown;
  onValue(value: unknown): void;
}

export function Field({ note: { name, text, isDeprecated }, isHidden, value, onValue }: Props) {
  const [kind] = fields[name];
  const [problem, setProblem] = useState('');
  /** Incremented when the field is cleared by its button, which recreates the control. */
  const [revision, setRevision] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const control = controlOf(kind);
  const Input = inputs[control];
  const isSet = value !== undefined || problem !== '';
  const id = `field-${name}`;
  const ids = { name: `${id}-name`, help: `${id}-help`, problem: `${id}-problem` };

  const setValue = (input: unknown) => {
    const { read, problem } = check(name, kind, input);
    setProblem(problem);
    onValue(read);
  };
  const clear = () => {
    setProblem('');
    setRevision(revision + 1);
    onValue(undefined);
  };
  // The pressed button was removed: move the focus to the control.
  useEffect(() => {
    if (revision > 0) row.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [revision]);

  return (
    <div class="field" hidden={isHidden} data-set={isSet} ref={row}>
      <div class="name">
        {Input?.isGroup || !Input ? (
          <span id={ids.name}>{name}</span>
        ) : (
          <label id={ids.name} for={id}>
            {name}
          </label>
        )}
        {isDeprecated && <span class="tag">deprecated</span>}
        {isSet && (
          <button type="button" class="clear" aria-label={`Clear ${name}`} onClick={clear}>
            Clear
          </button>
        )}
      </div>
      {Input && (
        <Input.Control
          key={revision}
          id={id}
          name={name}
          kind={kind}
          value={value}
          aria={{
            'aria-describedby': `${ids.problem} ${ids.help}`,
            'aria-invalid': problem !== '' && !problem.endsWith('is used.'),
          }}
          labelledBy={ids.name}
          onValue={setValue}
        />
      )}
      <p class="problem" id={ids.problem} aria-live="polite">
        {problem}
      </p>
      <p class="help" id={ids.help}>
        {codeParts(text).map((part, i) => (i % 2 ? <code key={part}>{part}</code> : part))}
      </p>
    </div>
  );
}

/** Validates a value as the widget does: the value that it uses, and the problem that it reports. */
function check(name: string, kind: Kind, input: unknown): { read: unknown; problem: string } {
  if (isBlank(kind, input)) return { read: undefined, problem: '' };
  const read = readValue(kind, input);
  if (read === undefined) return { read, problem: withoutPrefix(invalidValue(name, kind).message) };
  return { read, problem: read === input ? '' : `From ${kind.min ?? 0} to ${kind.max}: ${read} is used.` };
}
