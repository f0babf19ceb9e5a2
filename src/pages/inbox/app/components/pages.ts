// Items that a component reads page by page, and that nobody tells the changes of.
import { useEffect, useRef, useState } from 'preact/hooks';
import { typeOf } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';

interface Page<Item> {
  items: readonly Item[];
  nextToken?: string | undefined;
}

interface Pages<Item> extends Page<Item> {
  status: 'loading' | 'ready' | 'failed';
}

/** Reads the first page when the component is drawn first. `readPage`: of that time. `read` reads the next one. */
export function usePages<Item>(
  { store }: Pick<Inbox, 'store'>,
  readPage: (nextToken: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) {
  const [pages, setPages] = useState<Pages<Item>>({ status: 'loading', items: [] });
  const lifetime = useRef<AbortController | undefined>(undefined);
  const read = (nextToken: string | undefined) => {
    lifetime.current ??= new AbortController();
    const { signal } = lifetime.current;
    setPages((before) => ({ ...before, status: 'loading' }));
    readPage(nextToken, signal).then(
      (page) => {
        if (!signal.aborted)
          setPages(({ items }) => ({ ...page, items: [...items, ...page.items], status: 'ready' }));
      },
      (error) => {
        if (signal.aborted) return;
        if (typeOf(error) === 'Unauthorized') store.signOut();
        setPages((before) => ({ ...before, status: 'failed' }));
      },
    );
  };
  useEffect(() => {
    read(undefined);
    return () => lifetime.current?.abort();
  }, []);
  return { ...pages, read: () => read(pages.nextToken) };
}
