// The frame of the console: the navigation, and the section that the address names.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { settingsPages } from '../inbox/app/state/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Loading, Page, Problem } from '../ui/Page.tsx';
import { t } from '../ui/texts.ts';
import { Toasts } from '../ui/toast.tsx';
import { useConsole } from './console.ts';
import { Link } from './Link.tsx';
import { type ConsolePage, type ConsoleRoute, consoleAddressOf, type ScreenProps } from './route.ts';
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

/** Asks for a name, with code that is loaded only for a member without one. */
function NamePrompt() {
  const { member, may } = useConsole();
  const [loaded, setLoaded] = useState<ComponentType>();
  const isNeeded = !member.value.member.displayName && may('inbox.write');
  useEffect(() => {
    if (!isNeeded) return;
    import('./account/NameDialog.tsx').then(
      ({ NameDialog }) => setLoaded(() => NameDialog),
      // The account has the field, too.
      () => {},
    );
  }, [isNeeded]);
  const Dialog = loaded;
  return Dialog ? <Dialog /> : null;
}

/** The inbox, which is created when it is first shown, and goes on following the server while another section is shown. */
function InboxSection({ isShown }: { isShown: boolean }) {
  const console = useConsole();
  const root = useRef<HTMLDivElement>(null);
  const [isOpened, setIsOpened] = useState(isShown);
  const [hasFailed, setHasFailed] = useState(false);
  if (isShown && !isOpened) setIsOpened(true);
  useEffect(() => {
    if (!isOpened || hasFailed) return;
    let unmount: (() => void) | undefined;
    let isGone = false;
    import('../inbox/app/main.tsx').then(
      ({ mountInbox }) => {
        if (!isGone && root.current) unmount = mountInbox(root.current, console.member.peek(), console.leave);
      },
      () => setHasFailed(true),
    );
    return () => {
      isGone = true;
      unmount?.();
    };
  }, [isOpened, hasFailed, console]);
  return (
    <>
      <div class="section-root" id="inbox" hidden={!isShown || hasFailed} ref={root} />
      {isShown && hasFailed && (
        <main class="screen">
          <WithoutContent
            title={t('Inbox')}
            text={t('This section could not be loaded.')}
            onRetry={() => setHasFailed(false)}
          />
        </main>
      )}
    </>
  );
}

function Screen({ route }: { route: ConsoleRoute }) {
  const { may } = useConsole();
  const [loaded, setLoaded] = useState<ComponentType<ScreenProps>>();
  const [hasFailed, setHasFailed] = useState(false);
  const { load, permission } = sections[route.page];
  useEffect(() => {
    if (hasFailed) return;
    load().then(
      ({ Screen }) => setLoaded(() => Screen),
      () => setHasFailed(true),
    );
  }, [load, hasFailed]);
  const Loaded = loaded;
  const title = sections[route.page].name();
  const isRefused = permission !== undefined && !may(permission);
  return (
    <main class="screen">
      {isRefused ? (
        <WithoutContent title={title} text={t('Your role does not include this section.')} />
      ) : Loaded ? (
        <Loaded route={route} />
      ) : hasFailed ? (
        <WithoutContent
          title={title}
          text={t('This section could not be loaded.')}
          onRetry={() => setHasFailed(false)}
        />
      ) : (
        <Loading />
      )}
    </main>
  );
}

/** The frame of a section whose content is not there, with the reason. */
function WithoutContent({ title, text, onRetry }: { title: string; text: string; onRetry?: () => void }) {
  return (
    <Page title={title}>
      <div class="section">
        <Problem text={text} onRetry={onRetry} />
      </div>
    </Page>
  );
}
