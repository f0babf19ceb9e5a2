// Opens the conversation of a notification that was pressed, on behalf of the service worker (worker.ts).

/** The message of the service worker. Its port gets an answer from a page that opens the conversation. */
export interface OpenConversation {
  type: 'platform-webchat open conversation';
  /** The query of the address of the conversation. */
  search: string;
}

/** Follows the service worker until `signal` is aborted. */
export function followAlerts(open: (search: string) => void, signal: AbortSignal): void {
  // Without HTTPS there is none.
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  container?.addEventListener(
    'message',
    ({ data, ports }: MessageEvent) => {
      const { type, search } = Object(data) as Partial<OpenConversation>;
      if (type !== 'platform-webchat open conversation' || search === undefined) return;
      open(search);
      ports[0]?.postMessage(true);
    },
    { signal },
  );
  container?.startMessages();
}
