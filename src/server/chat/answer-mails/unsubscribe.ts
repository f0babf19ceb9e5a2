// The address that ends mails to an e-mail address: mail programs post to it (RFC 8058), people open it and press a button.
import { answerTextsFor } from '../../../protocol/locale/answer-mails.ts';
import { escaped, plainPage } from '../../api/html.ts';
import type { AddressSettings } from '../../startup/address-settings.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { unsubscribe, userOfToken } from '../../storage/notifications/return-links.ts';
import type { Handlings } from '../handling/handlings-interface.ts';

interface UnsubscribeOptions {
  db: Database;
  settings: AddressSettings;
  handlings: Pick<Handlings, 'changeVisitor'>;
  now: () => number;
}

/** Returns the function that responds. Opening the address changes nothing, because scanners of mails do that. */
export function createUnsubscribe({ settings, db, handlings, now }: UnsubscribeOptions) {
  const site = settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).hostname;
  /** Ends the mails, and tells the team that sees the address. */
  const endMails = async (tx: WriteTx, token: string): Promise<boolean> => {
    const userId = await userOfToken(tx, token);
    const end = () => unsubscribe(tx, token, now());
    return userId === undefined ? end() : handlings.changeVisitor(tx, userId, end);
  };
  return async ({ method, headers }: Request, token: string): Promise<Response> => {
    const languages = (headers.get('accept-language') ?? '').slice(0, 200).split(',');
    const { texts, language } = answerTextsFor(languages.map((one) => one.split(';')[0] ?? ''));
    const page = (content: string, status = 200) =>
      plainPage({ language, title: escaped(texts.stop), content, status });
    const stop = escaped(texts.stop);
    const form = `<form method="post"><button>${stop}</button></form>`;
    if (method === 'GET' || method === 'HEAD') {
      if (!site) return page(`<h1>${stop}</h1>${form}`);
      // Not the words of the button: who has sent the mails, and why.
      const reason = escaped(texts.reason.replace('{site}', () => site));
      return page(`<h1>${escaped(site)}</h1><p>${reason}</p>${form}`);
    }
    if (method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
    const isKnown = /^[\da-f]{32}$/.test(token) && (await db.write((tx) => endMails(tx, token)));
    return page(`<h1>${escaped(isKnown ? texts.stopped : texts.ended)}</h1>`, isKnown ? 200 : 404);
  };
}
