// One field: its name, the control of its kind, what is said of it, what is wrong with what was given.
import { useEffect, useRef, useState } from 'preact/hooks';
import { fields } from '../../protocol/config.ts';
import { isBlank, type Kind, readValue } from '../../protocol/kind.ts';
import { controlOf } from './fields.ts';
import { inputs } from './inputs.tsx';
import { codeParts, type Note } from './notes.ts';
import { plain } from './setup.ts';

interface Props {
  note: Note;
  isHidden: boolean;
  value: unknown;
  onValue(value: unknown): void;
}

export function Field({ note: { name, text, isDeprecated }, isHidden, value, onValue }: Props) {
  const [kind] = fields[name];
  const [problem, setProblem] = useState('');
  /** Grows when the field was cleared from outside its control, which then begins anew. */
  const [turn, setTurn] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const control = controlOf(kind);
  const Input = inputs[control];
  const isSet = value !== undefined || problem !== '';
  const id = `field-${name}`;
  const ids = { name: `${id}-name`, help: `${id}-help`, problem: `${id}-problem` };

  const take = (given: unknown) => {
    const { read, problem } = check(name, kind, given);
    setProblem(problem);
    onValue(read);
  };
  const clear = () => {
    setProblem('');
    setTurn(turn + 1);
    onValue(undefined);
  };
  // The button that was pressed is gone: the focus goes where the next value will be given.
  useEffect(() => {
    if (turn > 0) row.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [turn]);

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
          key={turn}
          id={id}
          name={name}
          kind={kind}
          value={value}
          aria={{
            'aria-describedby': `${ids.problem} ${ids.help}`,
            'aria-invalid': problem !== '' && !problem.endsWith('is used.'),
          }}
          labelledBy={ids.name}
          onValue={take}
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

/** What the chat would make of a value: what it uses, and what it says. */
function check(name: string, kind: Kind, given: unknown): { read: unknown; problem: string } {
  let problem = '';
  if (isBlank(kind, given)) return { read: undefined, problem };
  const read = readValue(name, kind, given, ({ message }) => {
    problem = plain(message);
  });
  if (read !== undefined && read !== given) {
    problem = `From ${kind.min ?? 0} to ${kind.max}: ${read} is used.`;
  }
  return { read, problem };
}
