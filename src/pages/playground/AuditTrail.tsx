// The audit trail of a workspace in a dialog: a table with filters, newest entries first.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditEntry } from '../../protocol/types/admin.ts';
import type { AdminClient, AuditQuery } from './admin.ts';

interface Props {
  admin: AdminClient;
  onClose(): void;
}

const columns = ['Time', 'Actor', 'Operation', 'Target', 'Address', 'Outcome'] as const;

export function AuditTrail({ admin, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The number of requests, so that the late response of an earlier one is ignored. */
  const requestCount = useRef(0);
  const [actor, setActor] = useState('');
  const [operation, setOperation] = useState('');
  /** The filter of the shown entries, for the following pages. */
  const [shown, setShown] = useState<AuditQuery>({});
  const [entries, setEntries] = useState<AuditEntry[]>([]);
  const [next, setNext] = useState<string>();
  const [isBusy, setBusy] = useState(true);
  const [status, setStatus] = useState({ text: '', isError: false });

  const show = async (query: AuditQuery, before: AuditEntry[]) => {
    requestCount.current += 1;
    const ownRequest = requestCount.current;
    setBusy(true);
    setStatus({ text: 'Loading…', isError: false });
    try {
      const page = await admin.listAuditLog(query);
      if (requestCount.current !== ownRequest) return;
      const all = [...before, ...page.entries];
      setEntries(all);
      setNext(page.nextToken);
      setStatus({ text: summaryOf(all.length, query, page.nextToken), isError: false });
    } catch (error) {
      if (requestCount.current !== ownRequest) return;
      setStatus({ text: (error as Error).message, isError: true });
    }
    setBusy(false);
  };
  const filter = (query: AuditQuery) => {
    setShown(query);
    setEntries([]);
    setNext(undefined);
    return show(query, []);
  };

  useEffect(() => {
    dialog.current?.showModal();
    void filter({});
  }, []);

  const isFiltered = Object.keys(shown).length > 0;
  return (
    <dialog ref={dialog} class="audit" aria-labelledby="audit-title" onClose={onClose}>
      <div class="heading">
        <h2 id="audit-title">Audit trail</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void filter({
            ...(actor.trim() && { actor: actor.trim() }),
            ...(operation.trim() && { operation: operation.trim() }),
          });
        }}
      >
        <label>
          Actor
          <input
            type="text"
            value={actor}
            placeholder="E-mail, id or role"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setActor(event.currentTarget.value)}
          />
        </label>
        <label>
          Operation
          <input
            type="text"
            value={operation}
            placeholder="deleteBot"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setOperation(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Filter
        </button>
        <button
          type="button"
          disabled={!isFiltered && !actor && !operation}
          onClick={() => {
            setActor('');
            setOperation('');
            void filter({});
          }}
        >
          Clear
        </button>
      </form>
      <p role="status" class={status.isError ? 'problem' : 'quiet'}>
        {status.text}
      </p>
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable by keyboard.
        <section class="scroll" tabIndex={0} aria-label="Entries">
          <table>
            <caption class="visually-hidden">Actions of administrators, newest first</caption>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {(next !== undefined || (status.isError && !isBusy)) && (
        <button
          type="button"
          class="more"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) void show({ ...shown, ...(next !== undefined && { nextToken: next }) }, entries);
          }}
        >
          {status.isError ? 'Try again' : 'Load more'}
        </button>
      )}
    </dialog>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { createdAt, actor, operation, target, network, status } = entry;
  const isRefused = status >= 400;
  return (
    <tr>
      <td data-label="Time">
        <time dateTime={createdAt} title={createdAt}>
          {new Date(createdAt).toLocaleString()}
        </time>
      </td>
      <th scope="row" data-label="Actor">
        <span>{actor.email ?? actor.tokenId ?? 'Server start'}</span> <span class="tag">{actor.kind}</span>
        {actor.workspaceId && <span class="quiet"> from {actor.workspaceId}</span>}
      </th>
      <td data-label="Operation">
        <code>{operation}</code>
      </td>
      <td data-label="Target">
        {Object.entries(target).map(([name, value]) => (
          <div key={name}>
            <span class="quiet">{name}</span> <code>{value}</code>
          </div>
        ))}
      </td>
      <td data-label="Address">{network ?? '–'}</td>
      <td data-label="Outcome" data-error={isRefused}>
        {isRefused ? `Refused (${status})` : 'Done'}
      </td>
    </tr>
  );
}

function summaryOf(count: number, { actor, operation }: AuditQuery, next: string | undefined): string {
  if (count === 0) return actor || operation ? 'No entry matches these filters.' : 'No entries yet.';
  return `${count} ${count === 1 ? 'entry' : 'entries'}${next ? ', and more to load' : ''}.`;
}
