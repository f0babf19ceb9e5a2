// A valid request for every route of the server. Names in << >> are placeholders for test data. The
// requests of operations are created from the examples in their declarations.
import { encodeRequest } from '../../../src/client/platform/encode.ts';
import { apis } from '../../../src/protocol/operations/apis.ts';
import { examplesOf } from '../../../src/protocol/operations/example-requests.testing.ts';
import { hasBody, type Operation } from '../../../src/protocol/operations/operation.ts';
import { callerHeaders } from '../../support/test-data/caller-headers.ts';

export interface Sample {
  /** The id of the operation, or a description of the route. */
  name: string;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  /** A value to be sent as JSON, or bytes. */
  body?: unknown;
  bytes?: string;
  operation?: Operation;
  /** The expected statuses if the test data cannot satisfy the request. */
  refused?: readonly number[];
}

const chat = '/chat/demo';
/** The examples have no valid names and links; after 20 failures an address has to wait. Mails and other services are not set up. */
const refusedExamples: Record<string, readonly number[]> = {
  signInWithPassword: [401, 429],
  changePassword: [403, 429],
  requestSignInLink: [403],
  useSignInLink: [401, 429],
  startOidcSignIn: [403],
  finishOidcSignIn: [403],
  endSession: [404],
  setContact: [200, 403],
  setPush: [200, 403],
  mailTranscript: [403],
  useReturnLink: [401, 429],
};

function ofOperation(operation: Operation, base: string): Sample[] {
  const { id, method, path, route, auth } = operation;
  return examplesOf(operation).map((example) => {
    const { target, body = '{}' } = encodeRequest(id, route, example);
    const headers: Sample['headers'] = Object.entries(callerHeaders(base, auth));
    return {
      name: id,
      method,
      // Placeholders are not encoded.
      target: base + target.replace(/^\/(?=\?|$)/, '').replace(/%3C%3C(\w+)%3E%3E/g, '<<$1>>'),
      headers: hasBody(operation) ? [...headers, ['content-type', 'application/json']] : headers,
      ...(hasBody(operation) ? { body: JSON.parse(body) } : {}),
      operation,
      // The managed bot has neither dead letters nor visitors, so these requests name those of another bot.
      ...(path.includes('{eventId}') || path.endsWith('/user-keys/revoke') || id === 'deleteVisitor'
        ? { refused: [404] }
        : {}),
      // The workspace of the test data is the first one of the server, which cannot be deleted.
      ...(id === 'deleteWorkspace' ? { refused: [403] } : {}),
      // The visitor of the test data is anonymous, and only an identified user can take over another one.
      ...(id === 'mergeUser' ? { refused: [403] } : {}),
      ...(refusedExamples[id] ? { refused: refusedExamples[id] } : {}),
    };
  });
}

const page = (name: string, target: string, headers: Sample['headers'] = []): Sample => ({
  name,
  method: 'GET',
  target,
  headers,
});
const tus = ['content-type', 'application/offset+octet-stream'] as const;

export const samples: readonly Sample[] = [
  ...apis.flatMap(({ base, operations }) =>
    operations.flatMap((operation) => ofOperation(operation, base.replace('/chat/{webhookId}', chat))),
  ),
  { ...page('upload, how far', '<<upload>>'), method: 'HEAD' },
  {
    ...page('upload, a part', '<<upload>>', [[...tus], ['upload-offset', '0'], ['tus-resumable', '1.0.0']]),
    method: 'PATCH',
    bytes: '01234',
  },
  { ...page('upload, all', '<<upload>>'), method: 'PUT', bytes: '0123456789' },
  { ...page('platform upload, how far', '<<platformUpload>>'), method: 'HEAD' },
  { ...page('platform upload, all', '<<platformUpload>>'), method: 'PUT', bytes: '0123456789' },
  page('platform download', '<<platformDownload>>', [['range', 'bytes=2-4']]),
  page('download', '<<download>>'),
  page('download, a part', '<<download>>', [['range', 'bytes=2-4']]),
  page('download, known', '<<download>>', [['if-none-match', '*']]),
  { ...page('preflight', `${chat}/messages`, [['origin', 'https://example.com']]), method: 'OPTIONS' },
  page('hello', `${chat}/hello`),
  page('openapi.json', `${chat}/openapi.json`),
  page('webchat.js with its configuration', `${chat}/webchat.js`, [['accept-encoding', 'gzip, br;q=0']]),
  page('the chat as a page', `${chat}/page`),
  page('webchat.js', '/webchat/webchat.js', [['accept-encoding', 'br']]),
  page('a font', '/webchat/fonts/a.woff2', [['range', 'bytes=0-1']]),
  page('playground without slash', '/playground'),
  page('playground', '/playground/'),
  page('demo', '/'),
];
