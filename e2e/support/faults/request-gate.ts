// Holds requests until a test releases them. The scripted bot waits at a gate in the middle of an answer, so that a
// test can inspect the incomplete answer without a time limit.
import { startFaultProxy } from './fault-proxy.ts';

export interface RequestGate {
  url: string;
  /** Resolves when the first request has arrived. */
  reached: Promise<void>;
  /** Responds to all held requests, and to later ones at once. */
  open(): void;
}

/** Starts a closed gate, which does not keep the process alive. */
export async function startRequestGate(): Promise<RequestGate> {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { url } = await startFaultProxy(undefined, {
    async intercept(_, response) {
      reach();
      await opened;
      response.end();
      return true;
    },
  });
  return { url: `${url}/`, reached, open };
}
