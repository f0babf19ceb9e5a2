// Tabs after the ARIA pattern: arrow keys move the focus, hidden panels keep their state.
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';

export function Tabs({ label, tabs }: { label: string; tabs: Record<string, ComponentChild> }) {
  const names = Object.keys(tabs);
  const [current, setCurrent] = useState(names[0]);
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
          {tabs[name]}
        </div>
      ))}
    </section>
  );
}
