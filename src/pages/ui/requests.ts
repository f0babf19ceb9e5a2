// The requests of a screen: one at a time, and what came of the last one.
import { useRef, useState } from 'preact/hooks';
import { describeProblem } from './errors.ts';

export interface Requests {
  isBusy: boolean;
  /** Result of the last request; '' at first. */
  message: string;
  /** Runs a request unless one is running. `success`: the message afterwards. Resolves with whether it succeeded. */
  run(request: () => Promise<unknown>, success?: string | (() => string)): Promise<boolean>;
  /** Runs a request that adds an entry. */
  add(request: () => Promise<unknown>, success: string): Promise<void>;
  /** How many entries were added here. As the key of a form it empties it; what colleagues add leaves the form as it is. */
  added: number;
}

export function useRequests(): Requests {
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [added, setAdded] = useState(0);
  const running = useRef(false);
  const run: Requests['run'] = async (request, success = '') => {
    if (running.current) return false;
    running.current = true;
    setIsBusy(true);
    setMessage('');
    try {
      await request();
      setMessage(typeof success === 'string' ? success : success());
      return true;
    } catch (error) {
      setMessage(describeProblem(error));
      return false;
    } finally {
      running.current = false;
      setIsBusy(false);
    }
  };
  return {
    isBusy,
    message,
    run,
    async add(request, success) {
      if (await run(request, success)) setAdded((count) => count + 1);
    },
    added,
  };
}
