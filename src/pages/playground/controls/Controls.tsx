// A control for every field of the configuration, in the groups of its source, with a filter.
import { useRef, useState } from 'preact/hooks';
import { fold } from '../../../protocol/locale/folding.ts';
import type { Configuration, FieldName } from '../../../protocol/page-api/config.ts';
import source from '../../../protocol/page-api/configuration.ts?raw';
import { Field } from './Field.tsx';
import { readFieldNotes } from './field-notes.ts';

const groups = readFieldNotes(source);

interface Props {
  configuration: Configuration;
  count: number;
  /** A new value recreates the controls. */
  revision: number;
  /** The invalid parts of the address. */
  problems: string[];
  onDismiss(): void;
  onField(name: FieldName, value: unknown): void;
}

export function Controls({ configuration, count, revision, problems, onDismiss, onField }: Props) {
  const [filter, setFilter] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const query = fold(filter).trim();
  const isMatch = ({ name, text }: { name: string; text: string }) => fold(`${name} ${text}`).includes(query);
  const isEmpty = !groups.some(({ notes }) => notes.some(isMatch));
  return (
    <form class="pane fields" aria-label="Fields" onSubmit={(event) => event.preventDefault()}>
      <div class="filter">
        <input
          ref={search}
          type="search"
          aria-label="Find a field"
          placeholder="Find a field"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="quiet" role="status">
          {isEmpty ? 'No such field' : count === 0 ? 'Nothing is set' : `${count} set`}
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
          <button
            type="button"
            onClick={() => {
              // The button disappears with its notice.
              search.current?.focus();
              onDismiss();
            }}
          >
            Dismiss
          </button>
        </div>
      )}
      {groups.map(({ title, notes }) => (
        <details key={title} open hidden={!notes.some(isMatch)}>
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
              isHidden={!isMatch(note)}
              value={configuration[note.name]}
              onValue={(value) => onField(note.name, value)}
            />
          ))}
        </details>
      ))}
    </form>
  );
}
