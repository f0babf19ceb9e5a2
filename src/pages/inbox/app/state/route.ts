// The address of the page: which list, which conversation and which pane is shown. Every pane has an address of its own, so
// that the back button of a phone works.
import { type ReadonlySignal, signal } from '@preact/signals';
import { type InboxList, inboxLists } from '../../../../protocol/inbox.ts';
import { t } from '../../../ui/texts.ts';
import { cleanFilter, type ListView, type ViewFilter } from './lists.ts';
import { type PeriodText, periodTextOf } from './report-period.ts';

/** The pages of the settings. */
export const settingsPages = ['answers', 'hours', 'teams'] as const;
export type SettingsPage = (typeof settingsPages)[number];

export interface Route {
  /** Undefined shows the lists; where there is space for more, the list of the member is shown, too. */
  list: InboxList | undefined;
  conversationId: string | undefined;
  /** The data of the visitor, where there is no space next to the conversation. */
  isVisitorShown: boolean;
  /** The id of the message or note that the conversation is opened at. */
  entry?: string | undefined;
  /** The list of all visitors in place of a list of conversations: the text that is searched, empty for all. */
  visitors?: string | undefined;
  /** The page of the settings, in front of everything else. */
  settings?: SettingsPage | undefined;
  /** The period of the reports, in front of everything else. */
  report?: PeriodText | undefined;
  /** Filter and order of the list. */
  filter?: ViewFilter | undefined;
}

/** Whether the settings or the reports are in front of the conversation of a route. */
export const isInFront = ({ settings, report }: Pick<Route, 'settings' | 'report'>): boolean =>
  settings !== undefined || report !== undefined;

/** The list of a route as it is shown. */
export const viewOf = ({ list = 'mine', filter = {} }: Route): ListView => ({ list, filter });

export interface Router {
  readonly route: ReadonlySignal<Route>;
  /** Whether the address is one of the inbox, and not of another section of the console. */
  readonly isShown: ReadonlySignal<boolean>;
  /** Shows something else. `replace`: the back button does not return to what was shown before. */
  go(to: Route, options?: { replace?: boolean }): void;
  /** Leaves for what is above: by the history, if the member came from there. */
  leave(to: Route): void;
  dispose(): void;
}

/** The query of a route, which begins with `?`. */
export function addressOf({
  list,
  conversationId,
  isVisitorShown,
  entry,
  visitors,
  filter = {},
  settings,
  report,
}: Route): string {
  const query = new URLSearchParams();
  if (list) query.set('list', list);
  if (visitors !== undefined) query.set('visitors', visitors);
  for (const [name, value] of Object.entries(filter)) query.set(name, value);
  if (conversationId) query.set('conversation', conversationId);
  if (conversationId && entry) query.set('entry', entry);
  if (isVisitorShown) query.set('pane', 'visitor');
  if (settings) query.set('settings', settings);
  if (report) query.set('report', report);
  return `?${query}`;
}

/** Reads the query of an address; what is not known is left out. */
export function routeOf(search: string): Route {
  const query = new URLSearchParams(search);
  const list = inboxLists.find((name) => name === query.get('list'));
  const conversationId = query.get('conversation') || undefined;
  const visitors = query.get('visitors');
  const entry = (conversationId && query.get('entry')) || undefined;
  const settings = settingsPages.find((page) => page === query.get('settings'));
  const report = query.get('report');
  const filter = cleanFilter(Object.fromEntries(query));
  return {
    list: list ?? (conversationId && visitors === null ? 'all' : undefined),
    conversationId,
    isVisitorShown: conversationId !== undefined && query.get('pane') === 'visitor',
    ...(filter && { filter }),
    ...(entry && { entry }),
    ...(visitors !== null && { visitors }),
    ...(settings ? { settings } : report !== null && { report: periodTextOf(report) }),
  };
}

/** Follows the address of this page. */
export function createRouter(): Router {
  const controller = new AbortController();
  const route = signal(routeOf(location.search));
  const isOwn = () => !new URLSearchParams(location.search).has('page');
  const isShown = signal(isOwn());
  const read = () => {
    isShown.value = isOwn();
    route.value = routeOf(location.search);
  };
  addEventListener('popstate', read, { signal: controller.signal });
  const go: Router['go'] = (to, { replace = false } = {}) => {
    const address = addressOf(to);
    if (replace) history.replaceState(history.state, '', address);
    else if (address !== addressOf(route.peek()))
      history.pushState({ from: addressOf(route.peek()) }, '', address);
    route.value = to;
    // The navigation of the console shows where the member is.
    dispatchEvent(new Event('addresschange'));
  };
  return {
    route,
    isShown,
    go,
    leave(to) {
      const { from } = (history.state ?? {}) as { from?: string };
      if (from === addressOf(to)) history.back();
      else go(to, { replace: true });
    },
    dispose: () => controller.abort(),
  };
}

export const settingsNameOf = (page: SettingsPage): string =>
  ({ answers: t('Canned answers'), hours: t('Opening hours'), teams: t('Teams') })[page];

/** Shows a page of the settings; the back button leads to what is shown now. */
export const openSettings = ({ router }: { router: Router }, settings: SettingsPage): void =>
  router.go({ ...router.route.peek(), isVisitorShown: false, report: undefined, settings });
