// Loads and saves the dashboard configuration of a bot, with an administrator's token, which never enters the address.
import { useMemo, useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/config.ts';
import { AuditTrail } from './AuditTrail.tsx';
import { type Bot, type Credentials, createAdmin } from './admin.ts';
import { secrets } from './fields.ts';
import { setFields } from './setup.ts';

interface Props {
  base: string;
  configuration: Configuration;
  /** The last part of the address of the chat that is shown. */
  place: string;
  onPlace(place: string): void;
  onLoad(configuration: Configuration): void;
  onSaved(): void;
}

const storageKey = 'platform-playground';
/** Bots among which the one that is shown is looked for. */
const maxLookedAt = 50;
const none: Credentials = { workspaceId: '', token: '' };

export function Server({ base, configuration, place, onPlace, onLoad, onSaved }: Props) {
  const kept = useMemo(readKept, []);
  const [credentials, setCredentials] = useState(kept ?? none);
  const [isKept, setKept] = useState(kept !== undefined);
  const [bots, setBots] = useState<Bot[]>([]);
  const [botId, setBotId] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState({ text: '', isError: false });
  const [isAuditOpen, setAuditOpen] = useState(false);
  /** Fields that the server has and saving would take away; asked about before it happens. */
  const [losses, setLosses] = useState<FieldName[]>([]);
  const admin = createAdmin(base, credentials);

  const keep = (next: Credentials, isWanted: boolean) => {
    setCredentials(next);
    setKept(isWanted);
    if (isWanted) sessionStorage.setItem(storageKey, JSON.stringify(next));
    else sessionStorage.removeItem(storageKey);
  };
  /** Runs one of the actions below and says what came of it. */
  const run = (action: () => Promise<string>) => async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setLosses([]);
    try {
      setSaid({ text: await action(), isError: false });
    } catch (error) {
      setSaid({ text: (error as Error).message, isError: true });
    }
    setBusy(false);
  };

  /** From here on this bot is loaded and saved, and its chat is shown. */
  const choose = async (id: string) => {
    setBotId(id);
    onPlace(await admin.place(id));
  };
  const connect = run(async () => {
    setBots([]);
    const found = await admin.listBots();
    // What is shown and what is saved are to be one bot.
    let shown = '';
    for (const { id } of found.slice(0, maxLookedAt)) {
      if ((await admin.place(id)) !== place) continue;
      shown = id;
      break;
    }
    setBots(found);
    if (shown) setBotId(shown);
    else if (found[0]) await choose(found[0].id);
    return found.length > 0 ? `Connected: ${counted(found.length, 'bot')}.` : 'This workspace has no bots.';
  });
  const load = run(async () => {
    const stored = await admin.load(botId);
    onLoad(stored);
    return `Loaded: ${counted(setFields(stored).length, 'field')}.`;
  });
  const wanted = Object.fromEntries(
    setFields(configuration)
      .filter((name) => !secrets.includes(name))
      .map((name) => [name, configuration[name]]),
  ) as Configuration;
  const write = async () => {
    const stored = await admin.save(botId, wanted);
    onSaved();
    return `Saved: ${counted(setFields(stored).length, 'field')}. Visitors get them from now on.`;
  };
  const save = run(async () => {
    const lost = setFields(await admin.load(botId)).filter((name) => wanted[name] === undefined);
    if (lost.length === 0) return write();
    setLosses(lost);
    return '';
  });

  return (
    <>
      <h2>The bot’s configuration on the server</h2>
      <p class="help">
        What is saved counts on every page that says nothing else. The server printed workspace and token at
        its first start.
      </p>
      <form class="stack" onSubmit={connect}>
        <label>
          Workspace id
          <input
            type="text"
            required
            value={credentials.workspaceId}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => keep({ ...credentials, workspaceId: event.currentTarget.value }, isKept)}
          />
        </label>
        <label>
          Token
          <input
            type="password"
            required
            value={credentials.token}
            autocomplete="off"
            onInput={(event) => keep({ ...credentials, token: event.currentTarget.value }, isKept)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isKept}
            onChange={(event) => keep(credentials, event.currentTarget.checked)}
          />
          Keep both until this tab is closed
        </label>
        <div class="row">
          <button type="submit" disabled={isBusy}>
            Connect
          </button>
          <button
            type="button"
            disabled={!credentials.workspaceId || !credentials.token}
            onClick={() => setAuditOpen(true)}
          >
            Audit trail
          </button>
        </div>
      </form>
      {isAuditOpen && <AuditTrail admin={admin} onClose={() => setAuditOpen(false)} />}
      {bots.length > 0 && (
        <form class="stack" onSubmit={save}>
          <label>
            Bot
            <select
              value={botId}
              disabled={isBusy}
              onChange={(event) => {
                const id = event.currentTarget.value;
                return run(async () => {
                  await choose(id);
                  return 'The preview shows this bot now.';
                })(event);
              }}
            >
              {bots.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name} ({id})
                </option>
              ))}
            </select>
          </label>
          {secrets.some((name) => configuration[name] !== undefined) && (
            <p class="notice">Admin keys are not saved: the server takes them from its own settings.</p>
          )}
          <div class="row">
            <button type="button" disabled={isBusy} onClick={load}>
              Load
            </button>
            <button type="submit" class="main" disabled={isBusy}>
              Save {counted(Object.keys(wanted).length, 'field')}
            </button>
          </div>
        </form>
      )}
      {losses.length > 0 && (
        <div class="notice" role="alert">
          <p>Saving takes away what is stored and not set here: {losses.join(', ')}.</p>
          <div class="row">
            <button type="button" onClick={run(write)}>
              Save all the same
            </button>
            <button type="button" onClick={() => setLosses([])}>
              Cancel
            </button>
          </div>
        </div>
      )}
      <p role="status" class={said.isError ? 'problem' : 'quiet'}>
        {said.text}
      </p>
    </>
  );
}

/** What this tab was asked to keep. */
function readKept(): Credentials | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<Credentials> | null;
    if (kept) return { workspaceId: String(kept.workspaceId), token: String(kept.token) };
  } catch {
    // Not ours, or no storage: nothing is kept.
  }
  return undefined;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
