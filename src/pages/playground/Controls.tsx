// A control for every field of the configuration, in the groups of its source, with a filter above.
import { useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/config.ts';
import source from '../../protocol/config.ts?raw';
import { Field } from './Field.tsx';
import { readNotes } from './notes.ts';

const groups = readNotes(source);

interface Props {
  configuration: Configuration;
  count: number;
  /** With another one the controls begin anew. */
  revision: number;
  /** What an address said wrong. */
  problems: string[];
  onDismiss(): void;
  onField(name: FieldName, value: unknown): void;
}

export function Controls({ configuration, count, revision, problems, onDismiss, onField }: Props) {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const isWanted = ({ name, text }: { name: string; text: string }) =>
    `${name} ${text}`.toLowerCase().includes(wanted);
  const isNothing = !groups.some(({ notes }) => notes.some(isWanted));
  return (
    <form class="pane fields" aria-label="Fields" onSubmit={(event) => event.preventDefault()}>
      <div class="filter">
        <input
          type="search"
          aria-label="Find a field"
          placeholder="Find a field"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="quiet" role="status">
          {isNothing ? 'No such field' : count === 0 ? 'Nothing is set' : `${count} set`}
        </span>
      </div>
      {problems.length > 0 && (
        <div class="notice" role="alert">
          <strong>Left out of the address:</strong>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <button type="button" onClick={onDismiss}>
            Dismiss
          </button>
        </div>
      )}
      {groups.map(({ title, notes }) => (
        <details key={title} open hidden={!notes.some(isWanted)}>
          <summary>
            <h2>{title}</h2>
            <span class="quiet">
              {notes.filter(({ name }) => configuration[name] !== undefined).length || ''}
            </span>
          </summary>
          {notes.map((note) => (
            <Field
              key={`${note.name} ${revision}`}
              note={note}
              isHidden={!isWanted(note)}
              value={configuration[note.name]}
              onValue={(value) => onField(note.name, value)}
            />
          ))}
        </details>
      ))}
    </form>
  );
}
