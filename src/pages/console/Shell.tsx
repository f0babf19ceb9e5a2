// The frame of the console: the navigation, and the section that the address names.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { settingsPages } from '../inbox/app/state/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { useCode } from '../ui/code.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Loading, Page, Problem } from '../ui/Page.tsx';
import { t } from '../ui/texts.ts';
import { Toasts } from '../ui/toast.tsx';
import { useConsole } from './console.ts';
import { Link } from './Link.tsx';
import { type ConsolePage, type ConsoleRoute, consoleAddressOf } from './route.ts';
import { sections } from './sections.ts';

/** The parts of the navigation: the sections, and two views of the inbox. */
type Place = ConsolePage | 'inbox' | 'reports';

/** The place of an address. Canned answers, hours and teams are a part of the inbox, but belong to the team. */
function placeOf(search: string, route: ConsoleRoute | undefined): Place {
  if (route) return route.page;
  const query = new URLSearchParams(search);
  if (settingsPages.some((page) => page === query.get('settings'))) return 'team';
  return query.has('report') ? 'reports' : 'inbox';
}

export function Shell() {
  const console = useConsole();
  const { router, may } = console;
  const route = router.route.value;
  const place = placeOf(router.search.value, route);
  const hasInbox = may('inbox.read');
  /** Where the inbox was left: its link leads there. */
  const inboxAddress = useRef('');
  if (!route && place === 'inbox') inboxAddress.current = router.search.value;

  const pages = (['start', 'bots', 'team', 'settings', 'account'] as const).filter((page) => {
    const { permission } = sections[page];
    return permission === undefined || may(permission);
  });
  const hasMore = useIsPhone();
  /** A member who may not read the inbox begins with the first section. */
  const first = pages.find((page) => page !== 'start') ?? 'account';
  useEffect(() => {
    if (!route && !hasInbox) router.go({ page: first }, { replace: true });
  }, [route, hasInbox, first, router]);

  const item = (to: Place, icon: IconName, name: string, address: string) => (
    <li key={to}>
      <Link to={address} aria-current={place === to ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{name}</span>
      </Link>
    </li>
  );
  const sectionItem = (page: ConsolePage) => {
    const { icon, name } = sections[page];
    return item(page, icon, name(), consoleAddressOf({ page }));
  };
  const { member, workspace } = console.member.value;
  const accountItem = (
    <li key="account">
      <Link to={{ page: 'account' }} aria-current={place === 'account' ? 'page' : undefined}>
        <Avatar name={member.displayName || member.email} />
        <span>{t('Account')}</span>
      </Link>
    </li>
  );
  const rest = [
    pages.includes('settings') && sectionItem('settings'),
    pages.includes('start') && sectionItem('start'),
    accountItem,
  ];
  return (
    <div class="console" data-place={place}>
      <nav class="rail" aria-label={t('Console')}>
        <p class="workspace" title={workspace.name}>
          <svg class="product" viewBox="0 0 32 32" aria-hidden="true">
            <path d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H14l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" />
          </svg>
          <span>{workspace.name}</span>
        </p>
        <ul>
          {hasInbox && item('inbox', 'inbox', t('Inbox'), inboxAddress.current)}
          {pages.includes('bots') && sectionItem('bots')}
          {pages.includes('team') && sectionItem('team')}
          {hasInbox && may('reports.read') && item('reports', 'chart', t('Reports'), '?report=')}
          {hasMore ? (
            <MoreItems isCurrent={['settings', 'start', 'account'].includes(place)}>{rest}</MoreItems>
          ) : (
            <>
              {rest[0]}
              <li class="grow" />
              {rest.slice(1)}
            </>
          )}
        </ul>
      </nav>
      {hasInbox && <InboxSection isShown={!route} />}
      {route && <Screen key={route.page} route={route} />}
      <NamePrompt />
      <Toasts />
    </div>
  );
}

/** Whether the page is as narrow as a phone, where the navigation is a bar at the bottom. */
function useIsPhone(): boolean {
  const [isPhone, setIsPhone] = useState(false);
  useLayoutEffect(() => {
    const media = matchMedia('(max-width: 44.99rem)');
    const follow = () => setIsPhone(media.matches);
    follow();
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  return isPhone;
}

/** On a phone: the sections that are rarely wanted, above the bar. Seven words beside each other are wider than the screen. */
function MoreItems({ isCurrent, children }: { isCurrent: boolean; children: ComponentChildren }) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <li>
      <button type="button" class="more-items" popovertarget="more-items" data-current={isCurrent}>
        <Icon name="more" />
        <span>{t('More')}</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the links in it */}
      <ul id="more-items" ref={list} popover="auto" onClick={() => list.current?.hidePopover()}>
        {children}
      </ul>
    </li>
  );
}

/** Asks for a name, with code that is loaded only for a member without one. The account has the field, too. */
function NamePrompt() {
  const { member, may } = useConsole();
  const isNeeded = !member.value.member.displayName && may('inbox.write');
  const { loaded } = useCode(() => import('./account/NameDialog.tsx'), isNeeded);
  return loaded ? <loaded.NameDialog /> : null;
}

/** The inbox, which is created when it is first shown, and goes on following the server while another section is shown. */
function InboxSection({ isShown }: { isShown: boolean }) {
  const console = useConsole();
  const root = useRef<HTMLDivElement>(null);
  const { loaded: mountInbox, retry } = useCode(
    () => import('../inbox/app/main.tsx').then((inbox) => inbox.mountInbox),
    isShown,
  );
  useEffect(
    () => (root.current ? mountInbox?.(root.current, console.member.peek(), console.leave) : undefined),
    [mountInbox, console],
  );
  return (
    <>
      <div class="section-root" id="inbox" hidden={!isShown || !!retry} ref={root} />
      {isShown && retry && (
        <main class="screen">
          <NotLoaded title={t('Inbox')} onRetry={retry} />
        </main>
      )}
    </>
  );
}

function Screen({ route }: { route: ConsoleRoute }) {
  const { may } = useConsole();
  const { load, name, permission } = sections[route.page];
  const isRefused = permission !== undefined && !may(permission);
  const { loaded, retry } = useCode(load, !isRefused);
  return (
    <main class="screen">
      {isRefused ? (
        <WithoutContent title={name()} text={t('Your role does not include this section.')} />
      ) : loaded ? (
        <loaded.Screen route={route} />
      ) : retry ? (
        <NotLoaded title={name()} onRetry={retry} />
      ) : (
        <Loading />
      )}
    </main>
  );
}

const NotLoaded = (props: { title: string; onRetry: () => void }) => (
  <WithoutContent {...props} text={t('This section could not be loaded.')} />
);

/** The frame of a section whose content is not there, with the reason. */
const WithoutContent = ({ title, ...problem }: { title: string; text: string; onRetry?: () => void }) => (
  <Page title={title}>
    <div class="section">
      <Problem {...problem} />
    </div>
  </Page>
);
