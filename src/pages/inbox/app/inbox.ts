// The parts of the inbox page, created together: state, synchronization, actions, and what the components share.

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type PreferencesStore, preferencesIn } from '../../ui/preferences.ts';
import { t } from '../../ui/texts.ts';
import { type Announcer, createAnnouncer, startAlerts } from './alerts.ts';
import type { InboxApi, Me } from './api/inbox-api.ts';
import { type Actions, createActions } from './state/actions.ts';
import { type Attachments, attachmentPurposes, createAttachments } from './state/attachments.ts';
import { type BotNames, createBotNames } from './state/bots.ts';
import { type CannedAnswers, createCannedAnswers } from './state/canned-answers.ts';
import { createDrafts, type Drafts, type Mode } from './state/drafts.ts';
import { followInactivity } from './state/inactivity.ts';
import { createPresence, type Presence } from './state/presence.ts';
import { createRouter, type Router, viewOf } from './state/route.ts';
import { createStore, type InboxStore } from './state/store.ts';
import { createTeamState, type TeamState } from './state/team.ts';
import { createCoalescer } from './sync/coalesce.ts';
import { repeatAfterErrors } from './sync/repeat.ts';
import { createSync, type Sync } from './sync/sync.ts';

/** Dialog above the page. */
export type DialogName = 'actions' | 'answers' | 'keys' | 'snooze' | 'tags' | 'assign';

/** How the member leaves the inbox. */
export interface Leave {
  /** Asks them to sign in again, after the session has ended elsewhere. */
  signIn(): void;
  /** Ends the session. */
  signOut(): void;
  /** Shows the account and the sessions of the member; with the reason if it is not their wish. */
  account(text?: string): void;
}

/** The list as it is shown, for keys and commands outside of it: of a long list, only a part is in the document. */
export interface ShownList {
  /** The conversations in the order of the list, also those that are not in the document. */
  order: readonly string[];
  /** Brings a row into view, draws it and focuses it. */
  focus(id: string): void;
}

/** Registration of the list; undefined before it is drawn. */
export interface ShownListRef {
  current?: ShownList | undefined;
}

export interface Inbox {
  readonly leave: Leave;
  api: InboxApi;
  me: Me;
  store: InboxStore;
  sync: Sync;
  actions: Actions;
  drafts: Drafts;
  attachments: Record<Mode, Attachments>;
  answers: CannedAnswers;
  bots: BotNames;
  team: TeamState;
  preferences: PreferencesStore;
  presence: Presence;
  announcer: Announcer;
  router: Router;
  /** Set by the list. */
  readonly shownList: ShownListRef;
  readonly dialog: ReadonlySignal<DialogName | undefined>;
  /** Opens a dialog instead of the one that is open. */
  openDialog(name: DialogName): void;
  /** Closes this dialog, if it is open. */
  closeDialog(name: DialogName): void;
  dispose(): void;
}

/** Creates the inbox of a member and starts to follow the server. `storage`: undefined if the browser refuses it. */
export function createInbox(api: InboxApi, storage: Storage | undefined, leave: Leave): Inbox {
  const { me } = api;
  const store = createStore(me);
  const lifetime = new AbortController();
  // Errors are repeated by what is joined.
  const joined = createCoalescer(lifetime.signal, () => {});
  const drafts = createDrafts(me.memberId, storage);
  const announcer = createAnnouncer();
  const purposes = attachmentPurposes(api);
  const attachments = {
    reply: createAttachments(purposes.reply, announcer.announce),
    note: createAttachments(purposes.note, announcer.announce),
  };
  const team = createTeamState(api);
  const answers = createCannedAnswers(api);
  // Until it succeeds, the names of teams are missing, the button shows nothing, and nobody can be mentioned.
  const loadTeam = repeatAfterErrors(team.load, lifetime.signal);
  const loadAnswers = repeatAfterErrors(answers.load, lifetime.signal);
  const sync = createSync(api, store, {
    onForbidden: () => leave.account(t('You may not read the inbox any more.')),
    onSettings(changed) {
      if (changed === 'team') {
        void joined('team', loadTeam);
        void joined('me', api.updateMe);
      }
      // Others are read when they are first needed.
      else if (answers.all.peek()) void joined('answers', loadAnswers);
    },
  });
  void joined('team', loadTeam);
  const actions = createActions({
    api,
    store,
    sync,
    drafts,
    attachments,
    colleagues: () => team.colleagues.peek(),
  });
  const preferences = preferencesIn(storage);
  const presence = createPresence(api);
  const router = createRouter();
  const dialog = signal<DialogName | undefined>(undefined);
  const bots = createBotNames(api);
  const loadBots = repeatAfterErrors(bots.load, lifetime.signal);
  let areBotsLoaded = false;
  const ends = [
    // Before the list is read: what changes afterwards is sent.
    effect(() => {
      const { list, conversationId = '' } = router.route.value;
      const isWatching = list === 'bot' || store.rows.value.get(conversationId)?.state === 'bot';
      untracked(() => {
        sync.watchBots(isWatching);
        if (isWatching && !areBotsLoaded) void joined('bots', loadBots);
        areBotsLoaded ||= isWatching;
      });
    }),
    effect(() => {
      const route = router.route.value;
      untracked(() => {
        void sync.openList(viewOf(route));
        void sync.openConversation(route.conversationId);
        presence.open(route.conversationId);
      });
    }),
    startAlerts({
      me,
      store,
      announcer,
      preferences,
      current: () => router.route.peek().conversationId,
      open: (conversationId) => router.go({ list: 'all', conversationId, isVisitorShown: false }),
    }),
    followInactivity(team, me, storage),
    () => lifetime.abort(),
    sync.dispose,
    attachments.reply.dispose,
    attachments.note.dispose,
    presence.dispose,
    router.dispose,
  ];
  return {
    api,
    leave,
    me,
    store,
    sync,
    actions,
    drafts,
    attachments,
    answers,
    bots,
    team,
    preferences,
    presence,
    announcer,
    router,
    shownList: {},
    dialog,
    openDialog(name) {
      dialog.value = name;
    },
    closeDialog(name) {
      if (dialog.peek() === name) dialog.value = undefined;
    },
    dispose() {
      for (const end of ends) end();
    },
  };
}
