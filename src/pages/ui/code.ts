// A part of a page whose code is loaded when the part is needed. Page.tsx draws the states before it is here.
import { useEffect, useState } from 'preact/hooks';

/** Loads code as soon as it is needed, once. `retry` loads it again, after that has failed. */
export function useCode<Code>(load: () => Promise<Code>, isNeeded = true) {
  const [loaded, setLoaded] = useState<Code>();
  const [hasFailed, setHasFailed] = useState(false);
  const isWanted = isNeeded && !loaded && !hasFailed;
  useEffect(() => {
    if (!isWanted) return;
    load().then(
      (code) => setLoaded(() => code),
      () => setHasFailed(true),
    );
  }, [isWanted]);
  return { loaded, retry: hasFailed ? () => setHasFailed(false) : undefined };
}
