// A list that the server pages: the first page at once, others when they are wanted.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { describeProblem } from './errors.ts';

export interface Page<Item> {
  items: Item[];
  nextToken?: string | undefined;
}

export interface Paged<Item> {
  /** Undefined until the first page is here. */
  items: Item[] | undefined;
  hasMore: boolean;
  isLoading: boolean;
  /** Why the last page could not be read; '' otherwise. */
  problem: string;
  more(): void;
  /** Reads the first page again; what is shown stays until it is here. */
  reload(): void;
  /** Changes what is shown, after a request that changed it on the server. */
  change(work: (items: Item[]) => Item[]): void;
}

/** @param read - Reads the page after a token. @param key - The list is read again when it changes. */
export function usePaged<Item>(
  read: (nextToken: string | undefined) => Promise<Page<Item>>,
  key: string,
): Paged<Item> {
  const [items, setItems] = useState<Item[]>();
  const [next, setNext] = useState<string>();
  const [isLoading, setIsLoading] = useState(true);
  const [problem, setProblem] = useState('');
  const turn = useRef(0);
  const reader = useRef(read);
  reader.current = read;

  const load = useCallback(async (token: string | undefined) => {
    turn.current += 1;
    const own = turn.current;
    setIsLoading(true);
    setProblem('');
    try {
      const page = await reader.current(token);
      if (own !== turn.current) return;
      setItems((last) => (token === undefined ? page.items : [...(last ?? []), ...page.items]));
      setNext(page.nextToken);
    } catch (error) {
      if (own === turn.current) setProblem(describeProblem(error));
    }
    if (own === turn.current) setIsLoading(false);
  }, []);

  useEffect(() => {
    void load(undefined);
    return () => {
      turn.current += 1;
    };
  }, [key, load]);

  return {
    items,
    hasMore: next !== undefined,
    isLoading,
    problem,
    more: () => {
      if (!isLoading && next !== undefined) void load(next);
    },
    reload: () => void load(undefined),
    change: (work) => setItems((last) => last && work(last)),
  };
}
