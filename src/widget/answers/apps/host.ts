// The host of one app: answers what its frame says (MCP Apps, specification of 2026-01-26). The page in the frame is that of the
// sandbox origin, which counts and limits what the app sends; what an app says is of any shape.
import type { AppData } from '../../../protocol/apps.ts';

/** Effects that an app can cause. */
export interface AppEvents {
  /** It has started: it can be shown. */
  onStart(): void;
  /** The height that it asks for, in pixels: any number. */
  onHeight(height: number): void;
  /** It asks to open an address (http or https). Resolves to whether the visitor has opened it. */
  onLink(url: URL): Promise<boolean>;
  /** The answer to `askActivation`: whether the visitor has used the app in the last seconds. */
  onActivation(isActive: boolean): void;
  /** Puts a text into the text box. Resolves to whether it is there. */
  onDraft(text: string): Promise<boolean>;
}

export interface AppHost {
  /** Reads a message that the window has received; ignores those of others. */
  receive(message: MessageEvent): void;
  /** Asks the sandbox page whether the visitor has used the app lately. */
  askActivation(): void;
  /** Says what has changed of the host context. */
  changeContext(context: object): void;
  /** The tool has returned something else. */
  changeResult(result: AppData['result']): void;
}

interface Request {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Characters of a text that an app puts into the text box. */
const maxDraftLength = 4_000;
/** Codes of JSON-RPC 2.0, and of a request that is refused. */
const [methodNotFound, refused] = [-32_601, -32_000];

/**
 * @param target returns the window of the frame.
 * @param context returns the host context.
 */
export function createAppHost(
  { html, csp, toolInput, ...data }: AppData,
  origin: string,
  target: () => Window | null | undefined,
  context: () => object,
  events: AppEvents,
): AppHost {
  let { result } = data;
  let isStarted = false;
  const say = (message: object) => target()?.postMessage({ jsonrpc: '2.0', ...message }, origin);
  const notify = (name: string, params: object) => say({ method: `ui/notifications/${name}`, params });

  const sayResult = () => {
    if (isStarted && result) notify('tool-result', result);
  };

  const requests: Record<string, (params: Record<string, unknown>) => unknown> = {
    'ui/initialize': () => ({
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'platform-webchat', version: '1' },
      hostCapabilities: { openLinks: {}, message: { text: {} }, sandbox: { csp: Object(csp) } },
      hostContext: context(),
    }),
    async 'ui/open-link'({ url }) {
      const address = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
      return /^https?:$/.test(address?.protocol ?? '') && (await events.onLink(address as URL)) && {};
    },
    async 'ui/message'({ content }) {
      const text = [content]
        .flat()
        .flatMap((item) => (Object(item).type === 'text' ? String(Object(item).text) : []))
        .join('\n')
        .slice(0, maxDraftLength);
      return text.trim() && (await events.onDraft(text)) && {};
    },
    'ui/request-display-mode': () => ({ mode: 'inline' }),
    ping: () => ({}),
  };

  const notifications: Record<string, (params: Record<string, unknown>) => void> = {
    'ui/notifications/sandbox-proxy-ready': () =>
      notify('sandbox-resource-ready', { html: withLook(html), csp }),
    'ui/notifications/initialized'() {
      isStarted = true;
      events.onStart();
      notify('tool-input', { arguments: Object(toolInput) });
      sayResult();
    },
    // Not of the specification: between this host and its own sandbox page.
    'ui/notifications/sandbox-activation': ({ isActive }) => events.onActivation(isActive === true),
    'ui/notifications/size-changed': ({ height }) => events.onHeight(Number(height)),
  };

  return {
    receive({ source, origin: from, data }) {
      if (from !== origin || !source || source !== target()) return;
      const { id, method, params } = Object(data) as Request;
      const name = String(method);
      const input = Object(params) as Record<string, unknown>;
      if (id === undefined) {
        if (Object.hasOwn(notifications, name)) notifications[name]?.(input);
        return;
      }
      // An answer: the host asks nothing.
      if (method === undefined) return;
      const refuse = (code: number, message: string) => say({ id, error: { code, message } });
      const run = Object.hasOwn(requests, name) && requests[name];
      if (!run) return refuse(methodNotFound, `This chat does not support ${name.slice(0, 100)}.`);
      Promise.resolve(run(input)).then(
        (result) => (result ? say({ id, result }) : refuse(refused, 'It was refused.')),
        () => refuse(refused, 'It has failed.'),
      );
    },
    askActivation: () => notify('sandbox-activation', {}),
    // Nothing is said to an app that has not started.
    changeContext(changed) {
      if (isStarted) notify('host-context-changed', changed);
    },
    changeResult(changed) {
      result = changed;
      sayResult();
    },
  };
}

/**
 * The look of elements for which the app has none, as in the window around it. Rules without weight: any rule of the app comes
 * first. The colors are those of the system, which follow the color scheme that the app chooses.
 */
const look = `<style>
:where(:root){font:15px/1.45 system-ui,sans-serif}
:where(body){margin:16px}
:where(button,select,textarea,input:not([type=checkbox],[type=radio],[type=range],[type=color],[type=file])){
min-height:40px;padding:4px 12px;border:1px solid GrayText;border-radius:10px;background:Canvas;color:CanvasText;font:inherit}
:where(button){padding:4px 16px;font-weight:600;cursor:pointer}
@media (pointer:coarse){:where(button,select,textarea,input){min-height:44px}}
</style>`;

/** Adds the look at the beginning of a document, after what has to be first in it. */
export const withLook = (html: string): string =>
  html.replace(
    /^\s*(<!doctype[^>]*>)?\s*(<html\b[^>]*>)?\s*(<head(?:\s[^>]*)?>)?(?!\s*<!)/i,
    (start) => start + look,
  );
