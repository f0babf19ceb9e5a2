// The address that ends mails to an e-mail address: mail programs post to it (RFC 8058), people open it and press a button.
import { answerTextsFor } from '../../../protocol/locale/answer-mails/index.ts';
import { escaped } from '../../mail/html.ts';
import type { Database } from '../../storage/database.ts';
import { unsubscribe } from '../../storage/notifications/return-links.ts';

/** Returns the function that responds. Opening the address changes nothing, because scanners of mails do that. */
export function createUnsubscribe(db: Database, now: () => number) {
  return async ({ method, headers }: Request, token: string): Promise<Response> => {
    const languages = (headers.get('accept-language') ?? '').slice(0, 200).split(',');
    const { texts, language, direction } = answerTextsFor(languages.map((one) => one.split(';')[0] ?? ''));
    const page = (body: string, status = 200) =>
      new Response(
        `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escaped(texts.stop)}</title><body><main>${body}</main></body></html>
`,
        { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } },
      );
    if (method === 'GET' || method === 'HEAD')
      return page(
        `<h1>${escaped(texts.stop)}</h1><form method="post"><button>${escaped(texts.stop)}</button></form>`,
      );
    if (method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
    const isKnown = /^[\da-f]{32}$/.test(token) && (await db.write((tx) => unsubscribe(tx, token, now())));
    const text = escaped(isKnown ? texts.stopped : texts.ended);
    return page(`<h1>${text}</h1>`, isKnown ? 200 : 404);
  };
}
