// A button for each method of `window.platform`, with its argument and its result.
import { useState } from 'preact/hooks';
import { show, showError } from './controls/format-value.ts';
import { argumentOf, type Method, methods } from './methods.ts';

type Call = (name: Method['name'], given: unknown[]) => Promise<unknown>;

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
