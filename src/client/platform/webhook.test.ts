// Tests that only a recent body with a valid signature of the server is accepted as an event.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signWebhook } from '../../server/bots/webhooks/post.ts';
import { verifyWebhook, WebhookError } from '../index.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = JSON.stringify({ event: { id: 'evt_1', createdOn: '2026-01-02T03:04:05.678Z', preview: 'ä' } });
const now = () => Math.floor(Date.now() / 1_000);
const signed = (text = body, at = now(), by = secret) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signWebhook(by, 'evt_1', at, text),
});

test('the signature is that of the example in the specification', async () => {
  // https://github.com/standard-webhooks/standard-webhooks: the example of its libraries.
  const known = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(signWebhook(known, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test.each([
  ['headers of Node', (headers: Record<string, string>) => headers],
  ['headers of fetch', (headers: Record<string, string>) => new Headers(headers)],
])('a signed body is read, %s', async (_, form) => {
  const { event } = await verifyWebhook({ secret, headers: form(signed()), body });
  expect(event).toMatchObject({ id: 'evt_1', preview: 'ä' });
  expect(event.createdOn).toEqual(new Date('2026-01-02T03:04:05.678Z'));
});

test('one valid signature of several is sufficient, for a change of the secret; unknown kinds are ignored', async () => {
  const headers = signed();
  headers['webhook-signature'] = `v1a,xx v1,AAAA ${headers['webhook-signature']}`;
  await expect(verifyWebhook({ secret, headers, body })).resolves.toBeTruthy();
});

test('secrets can have other forms', async () => {
  for (const other of ['plain words', `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`]) {
    await expect(
      verifyWebhook({ secret: other, headers: signed(body, now(), other), body }),
    ).resolves.toBeTruthy();
  }
});

describe('refused', () => {
  const refused = (request: Partial<Parameters<typeof verifyWebhook>[0]>) =>
    expect(verifyWebhook({ secret, headers: signed(), body, ...request })).rejects.toThrow(WebhookError);

  test('a request with another secret, body, id or time is refused', async () => {
    await refused({ secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` });
    await refused({ body: `${body} ` });
    await refused({ headers: { ...signed(), 'webhook-id': 'evt_2' } });
    const headers = signed();
    const secondBefore = String(Number(headers['webhook-timestamp']) - 1);
    await refused({ headers: { ...headers, 'webhook-timestamp': secondBefore } });
  });

  test('a time that is too old, too new or missing is refused', async () => {
    await refused({ headers: signed(body, now() - 400) });
    await refused({ headers: signed(body, now() + 400) });
    await refused({ headers: signed(body, Number.NaN) });
    await refused({ headers: signed(), tolerance: -1 });
  });

  test('missing, empty and invalid headers and secrets are refused', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await refused({ headers: { ...signed(), [name]: undefined } });
      await refused({ headers: { ...signed(), [name]: '' } });
    }
    for (const bad of ['', 'whsec_', 'whsec_%']) await refused({ secret: bad });
    await refused({ headers: { ...signed(), 'webhook-signature': 'v1,%%%' } });
  });

  test('a signed body that is not an event is refused', async () => {
    for (const text of ['', 'null', '{}', '{"event":']) await refused({ headers: signed(text), body: text });
  });

  test('any other signature is refused', async () => {
    const right = signed()['webhook-signature'];
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        if (`v1,${text}` !== right)
          await refused({ headers: { ...signed(), 'webhook-signature': `v1,${text}` } });
      }),
      { numRuns: 50 },
    );
  });
});
