// The playground: one state, the set-up, which the controls change, the preview shows and the address stores.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import { Code } from './Code.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Controls } from './controls/Controls.tsx';
import { type Entry, entryOf, Log } from './Log.tsx';
import { Methods } from './Methods.tsx';
import { Preview } from './Preview.tsx';
import type { PreviewPage } from './preview-page.ts';
import { Server } from './Server.tsx';
import { readHash, type Setup, setFields, type View, writeHash } from './setup.ts';
import { Tabs } from './Tabs.tsx';

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
      const found = readHash(location.hash);
      replace(() => found.setup);
      setProblems(found.problems);
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
                <Methods call={async (name, given) => previewPage.current?.call(name, given)} />
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
