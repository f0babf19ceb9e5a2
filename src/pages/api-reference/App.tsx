// The API reference page: loads the document, and stores the search and the open operations. The URL contains the
// operation that was opened last.
// Why not Scalar or Redoc: they need about 1 MB and inline styles (decision 26).
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type OpenApi, type Reference, readDocument, search } from './document.ts';
import { OperationView } from './Operation.tsx';

export function App({ base }: { base: string }) {
  const [reference, setReference] = useState<Reference>();
  const [problem, setProblem] = useState('');
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** The operation that was named last, by the URL or a link: a new object each time, so that it is shown again. */
  const [named, setNamed] = useState({ id: '' });
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    load(base).then(setReference, (error: unknown) => setProblem(String(error)));
  }, [base]);

  const show = (id: string) => {
    setQuery('');
    setNamed({ id });
    setOpen((last) => new Set(last).add(id));
  };
  // Opens the operation in the URL, after loading and after each change.
  useEffect(() => {
    if (!reference) return;
    const showNamed = () => {
      // The names of operations have no characters that a URL encodes.
      const id = location.hash.slice(1);
      if (reference.groups.some(({ operations }) => operations.some((operation) => operation.id === id)))
        show(id);
    };
    showNamed();
    addEventListener('hashchange', showNamed);
    return () => removeEventListener('hashchange', showNamed);
  }, [reference]);
  useEffect(() => {
    const element = named.id ? document.getElementById(named.id) : null;
    element?.scrollIntoView({ block: 'start' });
    element?.querySelector('summary')?.focus({ preventScroll: true });
    // The list of contents has its own scrollbar.
    document.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [named]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const groups = useMemo(() => search(reference?.groups ?? [], query), [reference, query]);
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0);

  const toggle = (id: string, isOpen: boolean) => {
    setOpen((last) => {
      const next = new Set(last);
      if (isOpen) next.add(id);
      else next.delete(id);
      return next;
    });
    if (isOpen) history.replaceState(null, '', `#${id}`);
  };

  return (
    <>
      <header class="bar">
        <h1>
          <span class="of">Platform Webchat</span> API reference
        </h1>
        <div class="search">
          <input
            ref={field}
            type="search"
            aria-label="Search operations"
            placeholder="Search: listBots, upload, DELETE …"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </div>
        <nav class="links" aria-label="Elsewhere">
          <a href="../../docs/">Documentation</a>
          <a href="../../playground/">Playground</a>
          <a href="../openapi.json">openapi.json</a>
        </nav>
      </header>
      <nav class="contents" aria-label="Operations">
        {groups.map(({ name, title, operations }) => (
          <section key={name}>
            <a class="group-link" href={`#group-${name}`}>
              {title} <span class="count">{operations.length}</span>
            </a>
            <ul>
              {operations.map(({ id, method }) => (
                <li key={id}>
                  {/* Without a change of the URL there is no `hashchange`: the link opens an operation that was closed, too. */}
                  <a
                    href={`#${id}`}
                    aria-current={id === named.id ? 'location' : undefined}
                    onClick={({ ctrlKey, metaKey, shiftKey }) => {
                      // Modified clicks open it elsewhere.
                      if (!ctrlKey && !metaKey && !shiftKey) show(id);
                    }}
                  >
                    <span class="method" data-method={method}>
                      {method}
                    </span>{' '}
                    {id}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main>
        <p class="quiet found" role="status">
          {reference
            ? query
              ? `${count} ${count === 1 ? 'operation fits' : 'operations fit'}`
              : `${count} operations`
            : !problem && 'Loading…'}
        </p>
        {problem && (
          <p class="notice" role="alert">
            The document did not come ({problem}). Reload the page when the server is back.
          </p>
        )}
        {reference && count === 0 && (
          <p class="notice">
            Nothing has all of these words.{' '}
            <button
              type="button"
              onClick={() => {
                setQuery('');
                field.current?.focus();
              }}
            >
              Show all
            </button>
          </p>
        )}
        {groups.map(({ name, title, description, operations }) => (
          <section key={name} class="group" aria-labelledby={`group-${name}`}>
            <h2 id={`group-${name}`} tabIndex={-1}>
              {title}
            </h2>
            <p class="quiet">{description}</p>
            {operations.map((operation) => (
              <OperationView
                key={operation.id}
                operation={operation}
                base={base}
                schemas={reference?.schemas ?? {}}
                isOpen={open.has(operation.id)}
                onToggle={toggle}
              />
            ))}
          </section>
        ))}
      </main>
    </>
  );
}

/** The document of the server that serves this page. */
async function load(base: string): Promise<Reference> {
  const response = await fetch(new URL('v1/openapi.json', base));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return readDocument((await response.json()) as OpenApi);
}
