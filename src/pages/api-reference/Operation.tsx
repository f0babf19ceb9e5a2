// One operation: its summary line, and its request and responses, which are rendered when it is opened.
import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../ui/CopyButton.tsx';
import { curlOf } from './curl.ts';
import type { ApiResponse, Operation, Parameter, Schema } from './document.ts';
import { exampleOf, fieldsOf, partsOf, resolve, rulesOf, type Schemas, typeOf } from './schema.ts';

interface OperationProps {
  operation: Operation;
  base: string;
  schemas: Schemas;
  isOpen: boolean;
  onToggle(id: string, isOpen: boolean): void;
}

export function OperationView({ operation, base, schemas, isOpen, onToggle }: OperationProps) {
  const { id, method, path, summary } = operation;
  // Remembered: each operation that is opened renders the whole page.
  const body = useMemo(
    () => isOpen && <Body operation={operation} base={base} schemas={schemas} />,
    [isOpen, operation, base, schemas],
  );
  return (
    <details
      id={id}
      class="operation"
      open={isOpen}
      // Also called when the page itself opens the element; then nothing changes.
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && onToggle(id, currentTarget.open)}
    >
      <summary>
        <span class="method" data-method={method}>
          {method}
        </span>
        <h3>{breakable(path)}</h3>
        <span class="quiet what">
          <FormattedText of={summary} />
        </span>
      </summary>
      {body}
    </details>
  );
}

/** The authentication of an operation that requires no permission. */
function keyOf(parameters: Parameter[]): string {
  const has = (header: string) => parameters.some(({ name }) => name === header);
  return has('authorization') ? 'any token' : has('x-user-key') ? 'user key' : 'no key';
}

const parameterTitles: Record<Parameter['in'], string> = { path: 'Path', query: 'Query', header: 'Headers' };

function Body({ operation, base, schemas }: Pick<OperationProps, 'operation' | 'base' | 'schemas'>) {
  const { id, permission, parameters, body, responses } = operation;
  const curl = curlOf(operation, base, schemas);
  const [done] = responses.filter(({ status }) => status.startsWith('2'));
  const errors = responses.filter(({ status }) => status >= '300');
  return (
    <div class="body">
      <p class="facts">
        <a href={`#${id}`} aria-label={`Link to ${id}`}>
          {id}
        </a>
        {permission ? (
          <span class="tag">
            permission <code>{permission}</code>
          </span>
        ) : (
          <span class="tag">{keyOf(parameters)}</span>
        )}
      </p>
      <div class="details">
        {(Object.keys(parameterTitles) as Parameter['in'][]).map((location) => (
          <Parameters
            key={location}
            of={parameters.filter((parameter) => parameter.in === location)}
            title={parameterTitles[location]}
            schemas={schemas}
          />
        ))}
        {body && (
          <section>
            <h4>
              Body <span class="quiet">{body.type}</span>
            </h4>
            <BodySchema schema={body.schema} schemas={schemas} />
          </section>
        )}
        {done && <Success response={done} schemas={schemas} />}
        {errors.length > 0 && (
          <section>
            <h4>Errors</h4>
            <ul class="errors">
              {errors.map(({ status, description }) => (
                <li key={status}>
                  <code>{status}</code>{' '}
                  <span>
                    <FormattedText of={description} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div class="examples">
        <Example title="Request" text={curl} copy="Copy curl" />
        {done?.content?.type === 'application/json' && (
          <Example
            title={`Response ${done.status}`}
            text={JSON.stringify(exampleOf(done.content.schema, schemas), null, 2)}
          />
        )}
      </div>
    </div>
  );
}

function Parameters({ of, title, schemas }: { of: Parameter[]; title: string; schemas: Schemas }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <ul class="fields">
        {of.map(({ name, required, description, schema }) => (
          <li key={name}>
            <code class="name">{name}</code> <span class="type">{typeOf(schema, schemas)}</span>
            {required ? <span class="must">required</span> : null}
            <Rules schema={schema} />
            {description && (
              <p class="quiet">
                <FormattedText of={description} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Success({
  response: { status, description, content },
  schemas,
}: {
  response: ApiResponse;
  schemas: Schemas;
}) {
  return (
    <section>
      <h4>
        Response {status} {content && <span class="quiet">{content.type}</span>}
      </h4>
      {content?.type === 'application/json' ? (
        <BodySchema schema={content.schema} schemas={schemas} />
      ) : (
        <p class="quiet">
          <FormattedText of={description} />
        </p>
      )}
    </section>
  );
}

/** A body: its fields if it is an object, otherwise its type. */
function BodySchema({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const { schema: target } = resolve(schema, schemas);
  if (fieldsOf(target).length > 0) return <Fields schema={target} schemas={schemas} />;
  const type = typeOf(schema, schemas);
  return <p class="quiet">{type === 'object' ? 'An empty object.' : type}</p>;
}

function Example({ title, text, copy }: { title: string; text: string; copy?: string }) {
  return (
    <section class="example" aria-label={title}>
      <div class="heading">
        <h4>{title}</h4>
        {copy && <CopyButton label={copy} text={() => text} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** A path that can be broken only before each of its parts. */
function breakable(path: string) {
  return path.split(/(?=\/)/).map((part, index) => (
    <span key={index}>
      {part}
      <wbr />
    </span>
  ));
}

/**
 * The fields of an object: name, type, constraints. Nested schemas are rendered when they are expanded, so they may be circular.
 */
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

export function FormattedText({ of }: { of: string }) {
  return of.split('`').map((part, index) => (index % 2 ? <code>{part}</code> : part));
}
