// The playground: one state, the set-up, which the controls change, the preview shows and the address stores. Tabs, methods and
// the log of events.
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import type { AnyPlatformEvent } from '../../protocol/page-api/page-api.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Code } from './Code.tsx';
import { Controls } from './controls/Controls.tsx';
import { argumentOf, type Method, methods } from './methods.ts';
import { Preview } from './Preview.tsx';
import type { PreviewPage } from './preview-page.ts';
import { Server } from './Server.tsx';
import { readHash, type Setup, setFields, type View, writeHash } from './setup.ts';

/** The address of the server of this page, ending in `/`. */
const base = new URL('..', location.href).href;
/** The number of events in the log. */
const logLimit = 200;
/** Milliseconds without a change until the address is written: Safari allows 100 changes in 30 seconds. */
const addressDelay = 250;
const panes = ['Fields', 'Preview', 'Tools'] as const;

export function App() {
  const first = useMemo(() => readHash(location.hash), []);
  const [setup, setSetup] = useState<Setup>(first.setup);
  const [problems, setProblems] = useState(first.problems);
  /** Incremented when the set-up was not changed by the controls, which are then recreated. */
  const [revision, setRevision] = useState(0);
  const [entries, setEntries] = useState<Entry[]>([]);
  const [pane, setPane] = useState<(typeof panes)[number]>('Fields');
  const previewPage = useRef<PreviewPage | null>(null);
  const count = setFields(setup.configuration).length;

  const replace = (change: (last: Setup) => Setup) => {
    setSetup(change);
    setRevision((last) => last + 1);
  };
  const setConfiguration = (configuration: Configuration) => replace(({ view }) => ({ view, configuration }));
  const setField = (name: FieldName, value: unknown) =>
    setSetup((last) => ({ ...last, configuration: { ...last.configuration, [name]: value } }));
  const setView = (view: Partial<View>) => setSetup((last) => ({ ...last, view: { ...last.view, ...view } }));

  useEffect(() => {
    const read = () => {
      const parsed = readHash(location.hash);
      replace(() => parsed.setup);
      setProblems(parsed.problems);
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);

  useEffect(() => {
    previewPage.current?.show(setup);
    const timer = setTimeout(() => {
      const hash = writeHash(setup);
      history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
    }, addressDelay);
    return () => clearTimeout(timer);
  }, [setup]);

  return (
    <>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a banner needs a name because the preview has one as well. */}
      <header class="bar" aria-label="Playground">
        <h1>
          <img src="./icon.svg" alt="" width="20" height="20" /> <span>Webchat </span>Playground
        </h1>
        <nav aria-label="Site">
          <a href={base}>Demo</a>
        </nav>
        <fieldset class="panes" aria-label="What is shown">
          {panes.map((name) => (
            <button key={name} type="button" aria-pressed={pane === name} onClick={() => setPane(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <span class="grow" />
        <CopyButton label="Copy link" text={() => location.href.split('#')[0] + hashOf(setup)} />
        <button type="button" disabled={count === 0} onClick={() => setConfiguration({})}>
          Reset
        </button>
      </header>
      <main aria-label="Playground" data-pane={pane}>
        <Controls
          revision={revision}
          configuration={setup.configuration}
          count={count}
          problems={problems}
          onDismiss={() => setProblems([])}
          onField={setField}
        />
        <Preview
          base={base}
          setup={setup}
          previewPage={previewPage}
          onView={setView}
          onEvent={(event) => setEntries((last) => [entryOf(event, last), ...last].slice(0, logLimit))}
        />
        <Tabs
          label="Tools"
          tabs={{
            Code: <Code base={base} setup={setup} />,
            Methods: (
              <>
                <Methods call={async (name, args) => previewPage.current?.call(name, args)} />
                <Log entries={entries} onClear={() => setEntries([])} />
              </>
            ),
            Server: (
              <Server
                base={base}
                configuration={setup.configuration}
                webhookId={setup.view.bot}
                onWebhookId={(bot) => setView({ bot })}
                onLoad={setConfiguration}
                onSaved={() => previewPage.current?.reload()}
              />
            ),
          }}
        />
      </main>
    </>
  );
}

const hashOf = (setup: Setup): string => {
  const hash = writeHash(setup);
  return hash && `#${hash}`;
};

/** Tabs after the ARIA pattern: arrow keys move the focus, hidden panels keep their state. */
export function Tabs({ label, tabs }: { label: string; tabs: Record<string, ComponentChild> }) {
  const names = Object.keys(tabs);
  const [current, setCurrent] = useState(names[0]);
  /** A tab is drawn when it is opened first, and keeps its state afterwards. */
  const opened = useRef(new Set<string>());
  opened.current.add(current ?? '');
  const onKeyDown = (event: KeyboardEvent) => {
    const index = names.indexOf(current ?? '');
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const name = names.at(step % names.length);
    setCurrent(name);
    document.getElementById(`tab-${name}`)?.focus();
  };
  return (
    <section class="pane tools" aria-label={label}>
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={`panel-${name}`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => setCurrent(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {names.map((name) => (
        <div
          key={name}
          id={`panel-${name}`}
          class="panel"
          role="tabpanel"
          aria-labelledby={`tab-${name}`}
          hidden={name !== current}
        >
          {opened.current.has(name) && tabs[name]}
        </div>
      ))}
    </section>
  );
}

type Call = (name: Method['name'], args: unknown[]) => Promise<unknown>;

export function Methods({ call }: { call: Call }) {
  return (
    <>
      <h2>Methods</h2>
      <div class="methods">
        {methods.map((method) => (
          <MethodRow key={method.name} method={method} call={call} />
        ))}
      </div>
    </>
  );
}

function MethodRow({ method: { name, takes }, call }: { method: Method; call: Call }) {
  const [text, setText] = useState(takes?.sample ?? '');
  const [result, setResult] = useState<{ text: string; isError: boolean }>();
  const run = async (event: Event) => {
    event.preventDefault();
    setResult({ text: '…', isError: false });
    try {
      const value = await call(name, takes ? [argumentOf(takes.kind, text)] : []);
      setResult({ text: show(value, 2), isError: false });
    } catch (error) {
      setResult({ text: showError(error), isError: true });
    }
  };
  return (
    <form class="method" onSubmit={run}>
      <button type="submit">{name}()</button>
      {takes && (
        <input
          type="text"
          aria-label={`${takes.name} for ${name}, ${takes.kind}`}
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <output data-error={result?.isError}>{result?.text}</output>
    </form>
  );
}

export type Entry = AnyPlatformEvent & { id: number; at: Date };

/** The entry of an event that comes after `last`. */
export const entryOf = (event: AnyPlatformEvent, [newest]: Entry[]): Entry => ({
  ...event,
  id: (newest?.id ?? 0) + 1,
  at: new Date(),
});

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });

export function Log({ entries, onClear }: { entries: Entry[]; onClear(): void }) {
  return (
    <>
      <div class="heading">
        <h2 id="log-name">Events</h2>
        <button type="button" disabled={entries.length === 0} onClick={onClear}>
          Clear log
        </button>
      </div>
      <div role="log" aria-labelledby="log-name" class="log">
        {entries.length === 0 && <p class="help">None yet. Open the chat.</p>}
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </div>
    </>
  );
}

function Row({ entry: { type, payload, at } }: { entry: Entry }) {
  const head = (
    <>
      <time dateTime={at.toISOString()}>{clock.format(at)}</time> <b data-error={type === 'error'}>{type}</b>
    </>
  );
  if (payload === undefined) return <div class="entry">{head}</div>;
  return (
    <details class="entry">
      <summary>
        {head} <code>{show(payload)}</code>
      </summary>
      <pre>{show(payload, 2)}</pre>
    </details>
  );
}

/** The name, code and message of an error of any window; undefined for any other value. */
function errorParts(value: unknown): Record<string, unknown> | undefined {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('message' in value && 'name' in value && 'stack' in value)
  ) {
    return undefined;
  }
  const { name, code, message, retryable } = value as Record<string, unknown>;
  return { name, code, message, retryable };
}

/** A value as JSON, or as a string if JSON cannot represent it. */
export function show(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(errorParts(value) ?? value, undefined, indent) ?? String(value);
  } catch {
    return String(value);
  }
}

/** An error in one line: `InvalidStateError not_ready: sendMessage() works after …`. */
export function showError(error: unknown): string {
  const { name, code, message } = errorParts(error) ?? { name: 'Thrown', message: show(error) };
  return `${[name, code].filter(Boolean).join(' ')}: ${message}`;
}
