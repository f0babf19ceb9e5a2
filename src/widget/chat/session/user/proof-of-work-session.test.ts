// @vitest-environment jsdom
// Tests the session with a server that requires a proof of work.
import { beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../polling.testing.ts';
import { base } from '../../../../server/testing.ts';
import { network, openPage, requests, restartServer, server, setUpServer } from '../session.testing.ts';

setUpServer();

describe('a server that requires a proof of work', () => {
  const created = () => requests.filter((line) => line === 'POST /users').length;
  const users = () => server.db.read((tx) => tx.all("SELECT id FROM users WHERE id LIKE 'user_%'"));
  beforeEach(async () => {
    await restartServer({ PROOF_OF_WORK: 8, TRUST_PROXY: 1 });
  });

  test('the visitor can send after one challenge, and the user fields of the page are kept', async () => {
    const here = openPage({}, { user: { name: 'Ada' } });
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(await here.session.methods.getUser()).toMatchObject({ name: 'Ada' });
    await here.session.send({ type: 'text', text: 'hello' });
    await waitFor(() => expect(here.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
    expect(created()).toBe(2);
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
  });

  test('a lost response does not create a second user', async () => {
    const here = openPage();
    const before = (await users()).length;
    network.between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/users') || response.status !== 201) return response;
      network.between = (_, go) => go();
      throw new TypeError('cut');
    };
    void here.session.start();
    await waitFor(() => expect(created()).toBe(2));
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect((await users()).length - before).toBe(1);
  });

  test('a network change during the challenge leads to a second challenge', async () => {
    const here = openPage();
    const fetch = server.fetch;
    let challenges = 0;
    network.between = async (request, next) => {
      if (!request.url.endsWith('/users')) return next();
      challenges += 1;
      const headers = new Headers(request.headers);
      headers.set('x-forwarded-for', challenges === 1 ? '192.0.2.1' : '192.0.2.2');
      const { pathname } = new URL(request.url);
      return fetch(pathname, { method: 'POST', headers, body: await request.text() });
    };
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(challenges).toBe(3);
  });

  test('a server that accepts no proof is reported after a limited number of attempts', async () => {
    const here = openPage();
    network.between = async (request, next) => {
      request.headers.delete('x-user-proof');
      return request.url.endsWith('/users')
        ? server.fetch(`${base}/users`, { method: 'POST', headers: request.headers, body: '{}' })
        : next();
    };
    await expect(here.session.start()).rejects.toMatchObject({ code: 'forbidden' });
    expect(created()).toBeLessThan(20);
  });
});
