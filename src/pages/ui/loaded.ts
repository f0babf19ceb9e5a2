// One thing of the server that a screen shows: read once, when its key changes, and again on demand.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { describeProblem } from './errors.ts';

export interface Loaded<T> {
  /** Undefined until it is here. */
  value: T | undefined;
  /** Why it could not be read; '' otherwise. */
  problem: string;
  reload(): void;
  /** Shows another value, such as that of a response. */
  set(value: T): void;
}

export function useLoaded<T>(read: () => Promise<T>, key = ''): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState('');
  const turn = useRef(0);
  const reader = useRef(read);
  reader.current = read;
  const load = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    setProblem('');
    reader.current().then(
      (found) => own === turn.current && setValue(() => found),
      (error: unknown) => own === turn.current && setProblem(describeProblem(error)),
    );
  }, []);
  useEffect(() => {
    setValue(undefined);
    load();
    return () => {
      turn.current += 1;
    };
  }, [key, load]);
  return { value, problem, reload: load, set: (next) => setValue(() => next) };
}
