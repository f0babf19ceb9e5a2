// The conversations of a list: rows of one height, drawn only where they are near, loaded page by page.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { counted, t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { emptyTextOf, isWhole, type ListView, listNameOf, viewKey } from '../state/lists.ts';
import { ConversationRow } from './ConversationRow.tsx';
import { FoundTexts } from './FoundTexts.tsx';
import { focusListName, focusRow } from './focus.ts';
import { Link } from './Link.tsx';
import { ListBar } from './ListBar.tsx';
import { ListFilter } from './ListFilter.tsx';
import { useShownRows } from './shown-rows.ts';

/** Up to this number, all rows are in the document, so that the browser's search finds them. */
const keptRows = 300;
/** Rows that are drawn before and after those that are visible. */
const margin = 20;
/** Rows before the end from which the next page is loaded. */
const ahead = 15;
/** The height of a row in root em: it grows with the size of the text. */
const rowEm = 4.75;

export function ConversationList({ inbox, view }: { inbox: Inbox; view: ListView }) {
  const { list } = view;
  return (
    <section class="pane list" aria-labelledby="list-name">
      <ListBar inbox={inbox} name={listNameOf(list)} />
      <ListFilter key={list} inbox={inbox} view={view} />
      <Rows key={viewKey(view)} inbox={inbox} view={view} />
    </section>
  );
}

function Rows({ inbox, view }: { inbox: Inbox; view: ListView }) {
  const { store, sync, router } = inbox;
  const { list, filter } = view;
  const { conversationId } = router.route.value;
  const { status, nextToken } = store.progressOf(view);
  const shown = useShownRows(inbox, view);
  const viewport = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<string | undefined>(conversationId);
  const rowHeight = useRowHeight();
  const { rows } = shown;

  const first = Math.floor(top / rowHeight);
  const visible = Math.ceil((viewport.current?.clientHeight ?? 1_000) / rowHeight);
  useEffect(() => {
    if (nextToken && first + visible > rows.length - ahead) void sync.loadMore(view);
  }, [first, visible, rows.length, nextToken, view, sync]);

  const indices = useMemo(() => new Map(rows.map((row, index) => [row.conversationId, index])), [rows]);
  const tabbed = indices.get(active ?? '') ?? 0;
  const isShort = rows.length <= keptRows;
  const from = isShort ? 0 : Math.max(0, first - margin);
  const to = isShort ? rows.length : Math.min(rows.length, first + visible + margin);
  const drawn = rows.slice(from, to).map((_, index) => from + index);
  // The row that has the focus is drawn in any case.
  if (tabbed < from && rows.length > 0) drawn.unshift(tabbed);
  if (tabbed >= to && tabbed < rows.length) drawn.push(tabbed);

  const focusAt = (index: number) => {
    const id = rows[index]?.conversationId;
    scrollTo(viewport.current, index, rowHeight);
    setTop(viewport.current?.scrollTop ?? 0);
    setActive(id);
    focusRow(id);
  };
  const { shownList } = inbox;
  useLayoutEffect(() => {
    shownList.current = {
      get order() {
        return [...indices.keys()];
      },
      focus: (id) => focusAt(indices.get(id) ?? 0),
    };
  });
  useLayoutEffect(
    () => () => {
      shownList.current = undefined;
    },
    [],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || rows.length === 0) return;
    event.preventDefault();
    focusAt(Math.min(rows.length - 1, Math.max(0, step(tabbed, rows.length, visible))));
  };

  return (
    <div class="found" {...shown.handlers}>
      {!isWhole(filter) && status !== 'unknown' && (
        <p class="visually-hidden" role="status">
          {status === 'ready' && foundText(rows.length, nextToken !== undefined)}
        </p>
      )}
      {shown.newCount > 0 && (
        <button
          type="button"
          class="new"
          onClick={() => {
            shown.apply();
            // Before the drawing removes the button: the list would not notice that the focus has left it.
            focusListName();
          }}
        >
          {counted(shown.newCount, '{count} new, show', '{count} new, show')}
        </button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links in it */}
      <div
        class="rows"
        ref={viewport}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          // In steps: each row that passes would draw all of them again.
          const next = Math.floor(currentTarget.scrollTop / rowHeight / 5) * 5 * rowHeight;
          if (next !== top) setTop(next);
        }}
      >
        <ol
          style={{ height: `${rows.length * rowEm}rem` }}
          aria-label={t('{list}: conversations', { list: listNameOf(list) })}
        >
          {drawn.map((index) => {
            const row = rows[index] as InboxRow;
            return (
              <li
                key={row.conversationId}
                style={{ top: `${index * rowEm}rem` }}
                aria-setsize={nextToken ? -1 : rows.length}
                aria-posinset={index + 1}
              >
                <ConversationRow
                  inbox={inbox}
                  row={row}
                  view={view}
                  isCurrent={row.conversationId === conversationId}
                  isActive={index === tabbed}
                  onActive={setActive}
                />
              </li>
            );
          })}
        </ol>
        {status === 'loading' && <Loading isFirst={rows.length === 0} />}
        {status === 'failed' && (
          <p class="empty" role="alert">
            {t('This list could not be loaded.')}{' '}
            <button
              type="button"
              onClick={() => {
                focusListName();
                void (nextToken ? sync.loadMore(view) : sync.openList(view));
              }}
            >
              {t('Try again')}
            </button>
          </p>
        )}
        {status === 'ready' && rows.length === 0 && !nextToken && (
          <div class="empty">
            <p>{isWhole(filter) ? emptyTextOf(list) : t('No conversation of this list is found.')}</p>
            <NextStep inbox={inbox} view={view} />
          </div>
        )}
        {filter.q !== undefined && <FoundTexts inbox={inbox} view={view} q={filter.q} />}
      </div>
    </div>
  );
}

/** The next step at an empty list: to show all of it, or the conversations that nobody has taken. */
function NextStep({ inbox, view: { list, filter } }: { inbox: Inbox; view: ListView }) {
  const { conversationId } = inbox.router.route.value;
  if (!isWhole(filter))
    return (
      <Link inbox={inbox} class="button" isReplacing to={{ list, conversationId, isVisitorShown: false }}>
        {t('Show all')}
      </Link>
    );
  const unassigned = inbox.store.counts.value?.unassigned ?? 0;
  if (list !== 'mine' || unassigned === 0) return null;
  return (
    <Link inbox={inbox} class="button" to={{ list: 'unassigned', conversationId, isVisitorShown: false }}>
      {t('Show “Unassigned” ({count})', { count: unassigned })}
    </Link>
  );
}

/** How many conversations a search has found. */
const foundText = (count: number, hasMore: boolean): string =>
  hasMore
    ? counted(count, 'More than {count} found', 'More than {count} found')
    : counted(count, '{count} found', '{count} found');

/** How a key moves: from an index, in a list of this length, with this many rows visible. */
const steps: Record<string, (index: number, length: number, page: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, length) => length - 1,
  PageDown: (index, _, page) => index + page - 1,
  PageUp: (index, _, page) => index - page + 1,
};

/** Brings a row into view before it is drawn. */
function scrollTo(viewport: HTMLElement | null, index: number, rowHeight: number): void {
  if (!viewport) return;
  const top = index * rowHeight;
  const lowest = top + rowHeight - viewport.clientHeight;
  viewport.scrollTop = Math.min(top, Math.max(lowest, viewport.scrollTop));
}

/** The height of a row in pixels: the member may have changed the size of the text. */
function useRowHeight(): number {
  const [size] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  return size * rowEm;
}

/** Grey rows, which appear only if it takes a moment (style sheet). */
function Loading({ isFirst }: { isFirst: boolean }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{t('Loading')}</span>
      {isFirst && [1, 2, 3].map((n) => <i key={n} />)}
    </div>
  );
}
