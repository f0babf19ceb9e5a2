// The fields of an object: name, type, constraints. Nested schemas are rendered when they are expanded, so they may be circular.
import { useState } from 'preact/hooks';
import type { Schema } from './document.ts';
import { FormattedText } from './FormattedText.tsx';
import { fieldsOf, partsOf, rulesOf, type Schemas, typeOf } from './schema.ts';

export function Fields({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  return (
    <ul class="fields">
      {fieldsOf(schema).map(({ name, schema: field, isRequired }) => (
        <li key={name}>
          <code class="name">{name}</code> <span class="type">{typeOf(field, schemas)}</span>
          {isRequired ? <span class="must">required</span> : null}
          <Rules schema={field} />
          {field.description && (
            <p class="quiet">
              <FormattedText of={field.description} />
            </p>
          )}
          <Parts field={name} schema={field} schemas={schemas} />
        </li>
      ))}
    </ul>
  );
}

export function Rules({ schema }: { schema: Schema }) {
  const rules = rulesOf(schema);
  return rules.length > 0 ? <span class="rules">{rules.join(', ')}</span> : null;
}

function Parts({ field, schema, schemas }: { field: string; schema: Schema; schemas: Schemas }) {
  const parts = partsOf(schema, schemas);
  return parts.map(({ name, schema: part }) => (
    <Part key={name ?? ''} title={name ?? `fields of ${field}`} schema={part} schemas={schemas} />
  ));
}

function Part({ title, schema, schemas }: { title: string; schema: Schema; schemas: Schemas }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="part" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Fields schema={schema} schemas={schemas} />}
    </details>
  );
}
