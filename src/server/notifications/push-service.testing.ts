// A push service for tests, on loopback, and browsers that have subscriptions at it. It checks and decrypts each push as RFC 8291
// and RFC 8292 say, with node:crypto and not with the library that has encrypted it.
import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushContent } from '../../protocol/push.ts';

/** A browser with a subscription. */
export interface TestBrowser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface ReceivedPush {
  endpoint: string;
  headers: IncomingHttpHeaders;
  /** The bytes of the body. */
  size: number;
  /** The plain text, with its padding. */
  text: string;
  content: PushContent;
  /** The claims of the signature. */
  claims: { aud: string; exp: number; sub: string };
}

export interface PushPeer {
  /** The host of the service, with its port. */
  host: string;
  received: ReceivedPush[];
  /** The number of requests, also of those that the service has refused. */
  asked(): number;
  browser(): TestBrowser;
  /** How the service answers from now on; `undefined`: it accepts. */
  answer(status: number | undefined, headers?: Record<string, string>, endpoint?: string): void;
  /** Lets the service accept pushes without an answer, until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** `publicKey`: returns the key of the server to which subscriptions are bound. */
export async function openPushPeer(publicKey: () => string): Promise<PushPeer> {
  const received: ReceivedPush[] = [];
  const browsers = new Map<string, { own: ECDH; auth: Buffer }>();
  const answers = new Map<string, { status: number; headers: Record<string, string> }>();
  let asked = 0;
  let held: Promise<void> | undefined;
  const server = createServer(async (request, response) => {
    asked += 1;
    const endpoint = `http://${request.headers.host}${request.url}`;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = answers.get(endpoint) ?? answers.get('');
    if (answer) {
      response.writeHead(answer.status, answer.headers).end();
      return;
    }
    const browser = browsers.get(endpoint);
    try {
      if (!browser) throw new Error('No such subscription.');
      const claims = claimsOf(request.headers.authorization ?? '', publicKey());
      const body = Buffer.concat(chunks);
      const text = decrypted(body, browser.own, browser.auth);
      const content = JSON.parse(text) as PushContent;
      received.push({ endpoint, headers: request.headers, size: body.length, text, content, claims });
    } catch (error) {
      response.writeHead(400).end(String(error));
      return;
    }
    await held;
    response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    received,
    asked: () => asked,
    browser() {
      const own = createECDH('prime256v1');
      own.generateKeys();
      const auth = randomBytes(16);
      const endpoint = `http://${host}/push/${randomBytes(16).toString('hex')}`;
      browsers.set(endpoint, { own, auth });
      return { endpoint, keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') } };
    },
    answer(status, headers = {}, endpoint = '') {
      if (status === undefined) answers.delete(endpoint);
      else answers.set(endpoint, { status, headers });
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hmac = (key: Buffer, ...parts: Buffer[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();
const one = Buffer.from([1]);

/** The plain text of a body in the encoding aes128gcm (RFC 8188) for the keys of a browser (RFC 8291, section 3.4). */
function decrypted(body: Buffer, own: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const record = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const ikm = hmac(hmac(auth, own.computeSecret(sender)), info, one);
  const prk = hmac(salt, ikm);
  const key = hmac(prk, Buffer.from('Content-Encoding: aes128gcm\0'), one).subarray(0, 16);
  const nonce = hmac(prk, Buffer.from('Content-Encoding: nonce\0'), one).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No last record.');
  return plain.subarray(0, end).toString();
}

/** The claims of `vapid t=…, k=…` (RFC 8292), whose signature must be of the expected key. */
function claimsOf(header: string, publicKey: string): ReceivedPush['claims'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  if (key !== publicKey) throw new Error('The key is another one.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [head = '', claims = '', signature = ''] = token.split('.');
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url')))
    throw new Error('The signature is wrong.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as ReceivedPush['claims'];
}
