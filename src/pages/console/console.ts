// The parts of the console that its screens share: the APIs in the name of the member, the member, and the address.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiError } from '../../client/core/errors.ts';
import { type AdminLists, type AdminMethods, adminApi } from '../../client/operations/admin.ts';
import { type FilesLists, type FilesMethods, filesApi } from '../../client/operations/files.ts';
import { type InboxLists, type InboxMethods, inboxApi } from '../../client/operations/inbox.ts';
import { ApiClient } from '../../client/platform/api-client.ts';
import type { Permission } from '../../protocol/permissions.ts';
import type { SignedIn } from '../../protocol/types/session.ts';
import type { Leave } from '../inbox/app/inbox.ts';
import { call } from '../session/session-api.ts';
import { describeProblem } from '../ui/errors.ts';
import { followAlerts } from './alerts/opened-alerts.ts';
import { type ConsoleRouter, createConsoleRouter } from './route.ts';

export type ConsoleClient = ApiClient<AdminMethods & InboxMethods, AdminLists & InboxLists>;
export type FilesClient = ApiClient<FilesMethods, FilesLists>;

export interface Console {
  /** The operations of the Admin and Inbox APIs. The browser sends the cookie of the session, which no script can read. */
  readonly client: ConsoleClient;
  /** The operations of the Files API for a bot. */
  filesOf(botId: string): FilesClient;
  /** The member who has signed in. */
  readonly member: ReadonlySignal<SignedIn>;
  may(permission: Permission): boolean;
  /** Reads the member again, after they have changed something of their own. */
  refresh(): Promise<void>;
  readonly router: ConsoleRouter;
  readonly leave: Leave;
  /** Why the account is shown, if it is not the member's wish; '' otherwise. */
  readonly notice: Signal<string>;
  /** Grows when everything is drawn again, in another language. */
  readonly drawing: ReadonlySignal<number>;
  redraw(): void;
  /** The address of the server, ending in `/`. */
  readonly base: string;
  dispose(): void;
}

type Method = (...args: unknown[]) => Promise<unknown>;

class SessionClient extends ApiClient<object, object> {
  /** `onEnd`: the session has ended, as a request that reads has found. A form keeps its text, and says so. */
  constructor(
    headers: Record<string, string>,
    apis: ConstructorParameters<typeof ApiClient>[1],
    onEnd: () => void,
  ) {
    super({ headers }, apis, true);
    const methods = this as unknown as Record<string, Method>;
    for (const name of apis.flatMap(({ routes }) => Object.keys(routes))) {
      const method = methods[name];
      if (!method || !/^(?:get|list)/.test(name)) continue;
      methods[name] = (...args) =>
        method(...args).catch((error) => {
          if (error instanceof ApiError && error.type === 'Unauthorized') onEnd();
          throw error;
        });
    }
  }
}

/** The ways out of the console. */
export interface Exits {
  /** Asks the member to sign in again, after the session has ended elsewhere. */
  signIn(): void;
  /** Ends the session. Rejects if the server cannot be asked. */
  signOut(): Promise<void>;
}

export function createConsole(signedIn: SignedIn, exits: Exits): Console {
  const member = signal(signedIn);
  const router = createConsoleRouter();
  const notice = signal('');
  const drawing = signal(0);
  const refresh = async () => {
    member.value = await call<SignedIn>('GET', '');
  };
  const account = (text = '') => {
    notice.value = text;
    router.go({ page: 'account' });
  };
  const leave: Leave = {
    signIn: exits.signIn,
    // A session that cannot be ended now is not forgotten by the browser: the member has to know.
    signOut: () => void exits.signOut().catch((error) => account(describeProblem(error))),
    account(text) {
      account(text);
      // The permissions have changed, or will be refused again.
      if (text !== undefined) refresh().catch(() => {});
    },
  };
  const controller = new AbortController();
  followAlerts((search) => router.open(search), controller.signal);
  /** By the id of the bot: screens ask for it in each drawing. */
  const filesClients = new Map<string, FilesClient>();
  const workspace = { 'x-workspace-id': signedIn.workspace.id };
  return {
    client: new SessionClient(workspace, [adminApi, inboxApi], exits.signIn) as unknown as ConsoleClient,
    filesOf(botId) {
      const found = filesClients.get(botId);
      if (found) return found;
      const headers = { ...workspace, 'x-bot-id': botId };
      const created = new SessionClient(headers, [filesApi], exits.signIn) as unknown as FilesClient;
      filesClients.set(botId, created);
      return created;
    },
    member,
    may: (permission) => member.value.permissions.includes(permission),
    refresh,
    router,
    leave,
    notice,
    drawing,
    redraw() {
      drawing.value += 1;
    },
    base: new URL('..', document.baseURI).href,
    dispose() {
      controller.abort();
      router.dispose();
    },
  };
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

/** The console of the screen. @throws Error outside of it. */
export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (!found) throw new Error('There is no console around this component.');
  return found;
}
