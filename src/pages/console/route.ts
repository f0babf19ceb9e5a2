// The address of the console: which screen is shown. The inbox has addresses of its own (inbox/app/state/route.ts), without `page`.
import { type ReadonlySignal, signal } from '@preact/signals';
import { openAddress } from '../ui/AddressLink.tsx';
import { noteMove } from '../ui/navigation.ts';

/** The screens that are no parts of the inbox. */
export const consolePages = ['start', 'bots', 'team', 'settings', 'account'] as const;
export type ConsolePage = (typeof consolePages)[number];

/** A screen with its parameters, such as `{page: 'bots', bot: 'bot_…', tab: 'install'}`. */
export interface ConsoleRoute {
  page: ConsolePage;
  [parameter: string]: string | undefined;
}

/** The properties of a screen. */
export interface ScreenProps {
  route: ConsoleRoute;
}

/** The route of an address; undefined for those of the inbox. */
export function consoleRouteOf(search: string): ConsoleRoute | undefined {
  const { page: given, ...parameters } = Object.fromEntries(new URLSearchParams(search));
  const page = consolePages.find((each) => each === given);
  return page && { ...parameters, page };
}

/** The query of a route, which begins with `?`. */
export function consoleAddressOf({ page, ...parameters }: ConsoleRoute): string {
  const query = new URLSearchParams({ page });
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `?${query}`;
}

export interface ConsoleRouter {
  /** The query of the address, which begins with `?`, or ''. */
  readonly search: ReadonlySignal<string>;
  /** The screen; undefined while the inbox is shown. */
  readonly route: ReadonlySignal<ConsoleRoute | undefined>;
  /** Shows what is at an address of this page. `replace`: the back button does not return to what was shown before. */
  open(search: string, options?: { replace?: boolean }): void;
  go(to: ConsoleRoute, options?: { replace?: boolean }): void;
  dispose(): void;
}

/** Follows the address of this page. */
export function createConsoleRouter(): ConsoleRouter {
  const controller = new AbortController();
  const search = signal(location.search);
  const route = signal(consoleRouteOf(location.search));
  const read = () => {
    noteMove();
    search.value = location.search;
    route.value = consoleRouteOf(location.search);
  };
  for (const event of ['popstate', 'addresschange'])
    addEventListener(event, read, { signal: controller.signal });
  return {
    search,
    route,
    open: openAddress,
    go: (to, options) => openAddress(consoleAddressOf(to), options),
    dispose: () => controller.abort(),
  };
}
