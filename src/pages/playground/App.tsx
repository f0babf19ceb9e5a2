// The whole playground: one state, the set-up, which the controls change, the preview shows and the address keeps.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/config.ts';
import { Code } from './Code.tsx';
import { Controls } from './Controls.tsx';
import { CopyButton } from './CopyButton.tsx';
import { type Entry, entryOf, Log } from './Log.tsx';
import { Methods } from './Methods.tsx';
import { Preview } from './Preview.tsx';
import { Server } from './Server.tsx';
import { readHash, type Setup, setFields, type View, writeHash } from './setup.ts';
import type { Stage } from './stage.ts';
import { Tabs } from './Tabs.tsx';

/** The address of the platform that serves this page, ending in `/`. */
const base = new URL('..', location.href).href;
/** The log keeps this many events. */
const logLimit = 200;
/** Milliseconds without a change until the address is written: Safari takes 100 in half a minute. */
const addressDelay = 250;
const panes = ['Fields', 'Preview', 'Tools'] as const;

export function App() {
  const first = useMemo(() => readHash(location.hash), []);
  const [setup, setSetup] = useState<Setup>(first.setup);
  const [problems, setProblems] = useState(first.problems);
  /** Grows when the set-up comes from elsewhere than the controls: they begin anew. */
  const [revision, setRevision] = useState(0);
  const [entries, setEntries] = useState<Entry[]>([]);
  const [pane, setPane] = useState<(typeof panes)[number]>('Fields');
  const stage = useRef<Stage | null>(null);
  const count = setFields(setup.configuration).length;

  const replace = (next: Setup) => {
    setSetup(next);
    setRevision((last) => last + 1);
  };
  const setConfiguration = (configuration: Configuration) => replace({ view: setup.view, configuration });
  const setField = (name: FieldName, value: unknown) =>
    setSetup((last) => ({ ...last, configuration: { ...last.configuration, [name]: value } }));
  const setView = (view: Partial<View>) => setSetup((last) => ({ ...last, view: { ...last.view, ...view } }));

  useEffect(() => {
    const read = () => {
      const found = readHash(location.hash);
      replace(found.setup);
      setProblems(found.problems);
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);

  useEffect(() => {
    stage.current?.show(setup);
    const timer = setTimeout(() => {
      const hash = writeHash(setup);
      history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
    }, addressDelay);
    return () => clearTimeout(timer);
  }, [setup]);

  return (
    <>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a banner has a name where the preview has one, too. */}
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
          stage={stage}
          onView={setView}
          onEvent={(event) => setEntries((last) => [entryOf(event, last), ...last].slice(0, logLimit))}
        />
        <Tabs
          label="Tools"
          tabs={{
            Code: <Code base={base} setup={setup} />,
            Methods: (
              <>
                <Methods call={async (name, given) => stage.current?.call(name, given)} />
                <Log entries={entries} onClear={() => setEntries([])} />
              </>
            ),
            Server: (
              <Server
                base={base}
                configuration={setup.configuration}
                place={setup.view.bot}
                onPlace={(bot) => setView({ bot })}
                onLoad={setConfiguration}
                onSaved={() => stage.current?.reload()}
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
