// Loads and saves the configuration of a bot, as the member who has signed in, or with an administrator's token, which must never
// be written to the address.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import type { SignedIn } from '../../protocol/types/session.ts';
import { mayBeSignedIn } from '../session/signed-in.ts';
import { AuditTrail } from './AuditTrail.tsx';
import { type Bot, type Credentials, createAdminClient, readSession } from './admin.ts';
import { secrets } from './controls/fields.ts';
import { setFields } from './setup.ts';

interface Props {
  base: string;
  configuration: Configuration;
  /** The last part of the address of the shown chat. */
  webhookId: string;
  onWebhookId(webhookId: string): void;
  onLoad(configuration: Configuration): void;
  onSaved(): void;
}

const storageKey = 'platform-playground';
/** The number of bots that are searched for the shown one. */
const maxSearchedBots = 50;
const none: Credentials = { workspaceId: '', token: '' };

export function Server({ base, configuration, webhookId, onWebhookId, onLoad, onSaved }: Props) {
  const stored = useMemo(readStoredCredentials, []);
  const [credentials, setCredentials] = useState(stored ?? none);
  const [isStored, setIsStored] = useState(stored !== undefined);
  const [bots, setBots] = useState<Bot[]>([]);
  const [botId, setBotId] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [status, setStatus] = useState({ text: '', isError: false });
  const [isAuditOpen, setAuditOpen] = useState(false);
  /** Stored fields that saving would delete; the user has to confirm. */
  const [losses, setLosses] = useState<FieldName[]>([]);
  /** Has the focus after the buttons that confirm, which disappear. It keeps it while something runs, so it is never disabled. */
  const saveButton = useRef<HTMLButtonElement>(null);
  const [session, setSession] = useState<SignedIn>();
  const admin = createAdminClient(base, session ? undefined : credentials);

  const storeCredentials = (next: Credentials, shouldStore: boolean) => {
    setCredentials(next);
    setIsStored(shouldStore);
    if (shouldStore) sessionStorage.setItem(storageKey, JSON.stringify(next));
    else sessionStorage.removeItem(storageKey);
  };
  /** Runs an action and shows its result. */
  const run = (action: () => Promise<string>) => async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setLosses([]);
    try {
      setStatus({ text: await action(), isError: false });
    } catch (error) {
      setStatus({ text: (error as Error).message, isError: true });
    }
    setBusy(false);
  };

  /** Selects the bot to load, save and show. */
  const choose = async (id: string) => {
    setBotId(id);
    onWebhookId(await admin.webhookIdOf(id));
  };
  const connect = run(async () => {
    setBots([]);
    const allBots = await admin.listBots();
    // The shown bot is the one to save.
    let shown = '';
    for (const { id } of allBots.slice(0, maxSearchedBots)) {
      if ((await admin.webhookIdOf(id)) !== webhookId) continue;
      shown = id;
      break;
    }
    setBots(allBots);
    if (shown) setBotId(shown);
    else if (allBots[0]) await choose(allBots[0].id);
    return allBots.length > 0
      ? `Connected: ${counted(allBots.length, 'bot')}.`
      : 'This workspace has no bots.';
  });
  useEffect(() => {
    if (mayBeSignedIn()) void readSession(base).then(setSession);
  }, [base]);
  useEffect(() => {
    if (session) void connect(new Event('connect'));
  }, [session]);
  const load = run(async () => {
    const stored = await admin.load(botId);
    onLoad(stored);
    return `Loaded: ${counted(setFields(stored).length, 'field')}.`;
  });
  const configured = Object.fromEntries(
    setFields(configuration)
      .filter((name) => !secrets.includes(name))
      .map((name) => [name, configuration[name]]),
  ) as Configuration;
  const write = async () => {
    const stored = await admin.save(botId, configured);
    onSaved();
    return `Saved: ${counted(setFields(stored).length, 'field')}. Visitors get them from now on.`;
  };
  /** @param confirmed fields that may be deleted: others can have been cleared, or stored, since they were listed. */
  const save = (confirmed: readonly FieldName[] = []) =>
    run(async () => {
      const lost = setFields(await admin.load(botId)).filter((name) => configured[name] === undefined);
      if (lost.every((name) => confirmed.includes(name))) return write();
      setLosses(lost);
      return '';
    });

  const tokenFields = (
    <>
      <label>
        Workspace id
        <input
          type="text"
          required
          value={credentials.workspaceId}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) =>
            storeCredentials({ ...credentials, workspaceId: event.currentTarget.value }, isStored)
          }
        />
      </label>
      <label>
        Token
        <input
          type="password"
          required
          value={credentials.token}
          autocomplete="off"
          onInput={(event) =>
            storeCredentials({ ...credentials, token: event.currentTarget.value }, isStored)
          }
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isStored}
          onChange={(event) => storeCredentials(credentials, event.currentTarget.checked)}
        />
        Keep both until this tab is closed
      </label>
    </>
  );
  return (
    <>
      <h2>The bot’s configuration on the server</h2>
      <p class="help">
        The saved configuration applies to every page that does not override it.{' '}
        {session ? (
          `You are signed in as ${session.member.displayName || session.member.email}.`
        ) : (
          <>
            <a href={`${base}console/`}>Sign in</a> and open this page again, or use a token of the Admin API.
          </>
        )}
      </p>
      <form class="stack" onSubmit={connect}>
        {!session && tokenFields}
        <div class="row">
          {!(session && bots.length > 0) && (
            <button type="submit" disabled={isBusy}>
              Connect
            </button>
          )}
          <button
            type="button"
            disabled={!session && !(credentials.workspaceId && credentials.token)}
            onClick={() => setAuditOpen(true)}
          >
            Audit trail
          </button>
        </div>
      </form>
      {isAuditOpen && <AuditTrail admin={admin} onClose={() => setAuditOpen(false)} />}
      {bots.length > 0 && (
        <form class="stack" onSubmit={save()}>
          <label>
            Bot
            <select
              value={botId}
              disabled={isBusy}
              onChange={(event) => {
                const id = event.currentTarget.value;
                return run(async () => {
                  await choose(id);
                  return 'The preview now shows this bot.';
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
            <p class="notice">Admin keys are not saved: the server reads them from its own settings.</p>
          )}
          <div class="row">
            <button type="button" disabled={isBusy} onClick={load}>
              Load
            </button>
            <button ref={saveButton} type="submit" class="main" aria-disabled={isBusy}>
              Save {counted(Object.keys(configured).length, 'field')}
            </button>
          </div>
        </form>
      )}
      {losses.length > 0 && (
        <div class="notice" role="alert">
          <p>Saving deletes these stored fields, which are not set here: {losses.join(', ')}.</p>
          <div class="row">
            <button
              type="button"
              onClick={(event) => {
                saveButton.current?.focus();
                void save(losses)(event);
              }}
            >
              Save anyway
            </button>
            <button
              type="button"
              onClick={() => {
                saveButton.current?.focus();
                setLosses([]);
              }}
            >
              Cancel
            </button>
          </div>
        </div>
      )}
      <p role="status" class={status.isError ? 'problem' : 'quiet'}>
        {status.text}
      </p>
    </>
  );
}

/** The credentials that this tab stores. */
function readStoredCredentials(): Credentials | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<Credentials> | null;
    if (stored) return { workspaceId: String(stored.workspaceId), token: String(stored.token) };
  } catch {
    // Invalid content or no storage.
  }
  return undefined;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
