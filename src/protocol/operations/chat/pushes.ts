// Operations of the Chat API: Web Push, for answers that come when the visitor has gone.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const address = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'Expected a web address.',
  ),
);

export const pushes = operations({
  getPush: query({
    route: 'GET /push',
    summary:
      'Returns whether the server sends pushes about answers of people, and the key that browsers need for a subscription ' +
      '(`applicationServerKey`).',
    auth: 'user',
    limitedKeys: true,
    output: v.object({ isOffered: v.boolean(), publicKey: maybe(v.string()) }),
  }),

  setPush: mutation({
    route: 'PUT /push',
    summary:
      'Stores the push subscription of a browser, so that answers of people reach the user when the page is closed; `keys: ' +
      'null` removes it. A user has five at most: the oldest is removed. `locale`: the language of notifications. `pageUrl`: ' +
      'the page that a press on a notification opens. Refused if the server sends no pushes, or not to this push service.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden'],
    input: v.object({
      endpoint: address,
      keys: v.nullable(
        v.object({
          /** A point of 65 bytes and a secret of 16 bytes, in base64url. */
          p256dh: v.pipe(v.string(), v.regex(/^B[\w-]{86}$/)),
          auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
        }),
      ),
      expirationTime: maybe(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))),
      locale: maybe(v.pipe(schemas.text, v.maxLength(35))),
      pageUrl: maybe(address),
    }),
    output: v.object({}),
    examples: [
      {
        endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        locale: 'de',
        pageUrl: 'https://example.com/help',
      },
      { endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm', keys: null },
    ],
  }),
});
