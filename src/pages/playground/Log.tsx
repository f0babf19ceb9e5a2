// The log of `window.platform` events, newest first, with their payload.
import type { AnyPlatformEvent } from '../../protocol/page-api/page-api.ts';
import { show } from './controls/format-value.ts';

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
