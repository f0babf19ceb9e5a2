// The headers with which a request of an example identifies its caller, with the placeholders of the test data.
import type { Operation } from '../../../src/protocol/operations/operation.ts';

type Headers = Readonly<Record<string, string>>;

const key: Headers = { 'x-user-key': '<<key>>' };
const token: Headers = { authorization: 'Bearer <<token>>' };
/** As a page of the server sends its requests. */
const ownPage: Headers = { 'sec-fetch-site': 'same-origin' };
const headersOf: Record<Operation['auth'], Headers> = {
  none: {},
  key,
  user: key,
  token,
  workspace: { ...token, 'x-workspace-id': '<<workspace>>' },
  bot: { ...token, 'x-bot-id': '<<bot>>' },
  session: { cookie: 'inbox=<<session>>', ...ownPage },
};

/** `base`: the path of the API. */
export function callerHeaders(base: string, auth: Operation['auth']): Headers {
  // The Runtime API is called for the demo bot, which has conversations.
  if (base === '/v1/chat') return { ...token, 'x-bot-id': '<<demoBot>>' };
  return base === '/v1/session' && auth === 'none' ? ownPage : headersOf[auth];
}
