// The page of a link in a mail: a press uses the link and opens the chat of its conversation. Opening the page uses nothing, so
// that a program which looks at the addresses of mails gets nothing.
import { useReturnLink } from '../../client/operations/chat.ts';
import { textsFor } from '../../locales/index.ts';
import type { Platform } from '../../protocol/page-api/page-api.ts';

const {
  texts: { linkPages: texts },
  language,
  direction,
} = textsFor(navigator.languages);
const link = readLink(location.hash);
const [method = '', path] = useReturnLink.split(' ');
const element = <T extends Element>(name: string): T => {
  const element = document.querySelector<T>(name);
  if (!element) throw new Error(`The page has no ${name}.`);
  return element;
};
const heading = element<HTMLHeadingElement>('h1');
const button = element<HTMLButtonElement>('button');
const problem = element<HTMLParagraphElement>('[role=alert]');

document.documentElement.lang = language;
document.documentElement.dir = direction;
document.title = texts.open;
// The token stays in this page only: not in the history, and not in what the visitor copies from the address bar.
history.replaceState(null, '', location.pathname);
if (link) {
  heading.textContent = texts.open;
  button.textContent = texts.open;
  button.hidden = false;
  button.addEventListener('click', () => void open(link.token, link.webhookId));
} else heading.textContent = texts.ended;

async function open(token: string, webhookId: string): Promise<void> {
  button.disabled = true;
  problem.textContent = '';
  const chatUrl = new URL(`../chat/${webhookId}`, location.href).href;
  let answer: LinkAnswer;
  try {
    answer = await readAnswer(
      await fetch(`${chatUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      }),
    );
    if (answer.type === 'chat') await showChat(chatUrl, answer.userKey);
  } catch {
    answer = { type: 'failed' };
  }
  button.disabled = false;
  if (answer.type === 'site') location.assign(answer.returnUrl);
  else if (answer.type === 'failed') problem.textContent = texts.failed;
  else if (answer.type === 'ended') {
    heading.textContent = texts.ended;
    button.hidden = true;
  }
}

/** Opens the chat in the whole page. Nothing is stored in this browser, which may belong to another person. */
async function showChat(chatUrl: string, userKey: string): Promise<void> {
  const platform = window.platform as Platform | undefined;
  // Its script did not load: the page has to stay, to say so.
  if (!platform) throw new Error('The chat was not loaded.');
  const main = element<HTMLElement>('main');
  let stopListening = () => {};
  // Hidden and not removed: if the chat does not appear, the page has to say so.
  main.hidden = true;
  try {
    await new Promise<void>((resolve, reject) => {
      const off = [
        platform.on('webchat:ready', resolve),
        // The window closes if the chat itself was not loaded: it works without its other files.
        platform.on('webchat:closed', () => reject(new Error('The chat was not loaded.'))),
      ];
      stopListening = () => {
        for (const end of off) end();
      };
      platform.init({
        chatUrl,
        target: 'body',
        user: { userKey },
        // Its key can neither delete the visitor nor have mails sent.
        configuration: { storageLocation: 'memory', deleteData: false, transcriptMail: false },
      });
    });
    main.remove();
  } catch (error) {
    platform.destroy();
    main.hidden = false;
    throw error;
  } finally {
    stopListening();
  }
}

/** Result of a link: the chat opens with a key, the site opens, or a text says that the link has ended or did not work now. */
export type LinkAnswer =
  | { type: 'chat'; userKey: string }
  | { type: 'site'; returnUrl: string }
  | { type: 'ended' | 'failed' };

/** Reads `#TOKEN.WEBHOOK`; undefined for any other fragment. */
export function readLink(fragment: string): { token: string; webhookId: string } | undefined {
  const [, token, webhookId] = /^#([\w-]{43})\.([\w-]{1,70})$/.exec(fragment) ?? [];
  return token !== undefined && webhookId !== undefined ? { token, webhookId } : undefined;
}

export async function readAnswer(response: Response): Promise<LinkAnswer> {
  // The link, or the chat, is gone.
  if ([400, 401, 404].includes(response.status)) return { type: 'ended' };
  if (!response.ok) return { type: 'failed' };
  const { userKey, returnUrl } = (await response.json()) as { userKey?: unknown; returnUrl?: unknown };
  if (typeof userKey === 'string') return { type: 'chat', userKey };
  if (typeof returnUrl === 'string' && /^https?:\/\//i.test(returnUrl)) return { type: 'site', returnUrl };
  return { type: 'failed' };
}
