// @vitest-environment jsdom
// Tests which reports are asked for, how they are written, and what becomes of one that is forbidden or of a deleted team.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../../client/core/errors.ts';
import type { CallOptions } from '../../../../client/index.ts';
import { waitFor } from '../../../../polling.testing.ts';
import type { Report } from '../../../../protocol/inbox.ts';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import type { Route } from '../state/route.ts';
import { Reports } from './Reports.tsx';

const none = { count: 0 };
const ratings = { offered: 0, counts: [0, 0, 0, 0, 0], given: 0 };
const empty: Report = {
  ...{ isOwn: false, days: [], requested: 0, unanswered: 0, abandoned: 0, members: [] },
  ...{ firstResponse: none, response: none, resolution: none, ratings },
};
const member = (memberId: string, fields: Partial<Report['members'][number]> = {}) => ({
  ...{ memberId, assigned: 1, assignedTime: 1, replies: 1, firstResponse: none, response: none, ratings },
  ...fields,
});

const root = useRoot();

type Asked = { from: string; bot?: string; team?: string };

/** The reports are open. `answer`: of the server, for what it is asked. */
async function start(answer: (asked: Asked) => Partial<Report> | Promise<Partial<Report>>) {
  const permissions = signal(['reports.read', 'reports.all']);
  const route = signal<Route>({
    list: 'all',
    conversationId: undefined,
    isVisitorShown: false,
    report: '7d',
  });
  const teams = signal([
    { id: 'red', name: 'Red' },
    { id: 'blue', name: 'Blue' },
  ]);
  const bots = [
    { id: 'b1', name: 'Bot 1' },
    { id: 'b2', name: 'Bot 2' },
  ];
  const getReport = vi.fn(async (asked: Asked, _options?: CallOptions) => ({
    report: { ...empty, ...(await answer(asked)) },
  }));
  const exportReport = vi.fn(async (_asked: Asked): Promise<{ name: string; csv: string }> => {
    throw missing;
  });
  const listBots = vi.fn(async () => bots);
  const load = vi.fn(async () => {
    teams.value = teams.value.filter(({ id }) => id !== 'red');
  });
  const inbox = {
    api: { listBots, inbox: { getReport, exportReport } },
    me: {
      memberId: 'mia',
      get permissions() {
        return permissions.value;
      },
    },
    router: { isShown: signal(true), route, go: (to: Route) => (route.value = to) },
    team: { teams, load },
  } as unknown as Inbox;
  const Page = () => <Reports inbox={inbox} period={route.value.report ?? '7d'} />;
  await act(() => render(<Page />, root()));
  const choose = (label: string, value: string) =>
    act(() => {
      const element = [...root().querySelectorAll('label')].find(({ textContent }) =>
        textContent.startsWith(label),
      );
      const select = element?.querySelector('select') as HTMLSelectElement;
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  const chosenIn = (label: string) =>
    [...root().querySelectorAll('label')]
      .find(({ textContent }) => textContent.startsWith(label))
      ?.querySelector('select')?.value;
  return { getReport, exportReport, listBots, load, permissions, choose, chosenIn };
}

const missing = new ApiError(404, {
  ...{ type: 'ResourceNotFound', code: 404, id: 'error', message: 'The team does not exist.' },
});
const status = () => root().querySelector('.report > [role="status"]')?.textContent;

test('a report of a team that was deleted meanwhile says so, and is followed by the one of all teams', async () => {
  const { choose, chosenIn, getReport, load, listBots } = await start(({ team }) => {
    if (team) throw missing;
    return {};
  });
  await choose('Bot', 'b2');
  await choose('Team', 'red');
  await waitFor(() => expect(status()).toContain('by the clock of'));
  await waitFor(() => expect(status()).toMatch(/^The team .*does not exist any more/));
  expect(status()).not.toContain('conversation does not exist');
  expect([load.mock.calls.length, listBots.mock.calls.length]).toEqual([1, 2]);
  expect([chosenIn('Team'), chosenIn('Bot')]).toEqual(['', 'b2']);
  const asked = getReport.mock.lastCall?.[0];
  expect([asked?.team, asked?.bot]).toEqual([undefined, 'b2']);
  // It is about that choice only.
  await choose('Team', 'blue');
  await waitFor(() => expect(status()).not.toMatch(/^The team/));
});

test('a table of a team that was deleted meanwhile cannot be saved, and the page says why', async () => {
  const { choose, chosenIn } = await start(() => ({ members: [member('ada', { name: 'Ada' })] }));
  await choose('Team', 'red');
  await waitFor(() => expect(root().querySelector('[aria-busy="false"]')).not.toBeNull());
  await act(() => root().querySelector<HTMLElement>('[aria-label^="Save as CSV: work"]')?.click());
  await waitFor(() => expect(root().textContent).toContain('The team does not exist.'));
  expect(root().textContent).not.toContain('conversation does not exist');
  await waitFor(() => expect(chosenIn('Team')).toBe(''));
});

test('a report of all members is gone as soon as the member may only read of the own work', async () => {
  let answerAgain = (_report: Partial<Report>) => {};
  let isFirst = true;
  const { permissions, getReport } = await start(() => {
    if (!isFirst) return new Promise((resolve) => (answerAgain = resolve));
    isFirst = false;
    return { members: [member('ada', { name: 'Ada Secret' })] };
  });
  await waitFor(() => expect(root().textContent).toContain('Ada Secret'));
  await act(() => {
    permissions.value = ['reports.read'];
  });
  expect(root().textContent).not.toContain('Ada Secret');
  await waitFor(() => expect(getReport).toHaveBeenCalledTimes(2));
  await act(() => answerAgain({ isOwn: true }));
  await waitFor(() => expect(status()).toContain('Only your own work is counted.'));
});

test('of several choices in a short time, only the first and the last report are asked for, and the first is aborted', async () => {
  const { choose, getReport } = await start(({ bot }) => (bot ? {} : new Promise(() => {})));
  await choose('Period', '30d');
  await choose('Period', '90d');
  await choose('Bot', 'b1');
  await choose('Bot', 'b2');
  await waitFor(() => expect(getReport.mock.lastCall?.[0].bot).toBe('b2'));
  await waitFor(() => expect(status()).toContain('by the clock of'));
  expect(getReport).toHaveBeenCalledTimes(2);
  expect(getReport.mock.calls.map(([, options]) => options?.signal?.aborted)).toEqual([true, false]);
});

const texts = (selector: string) =>
  [...root().querySelectorAll(selector)].map((element) => element.textContent);

test('names and questions have a direction of their own, apart from the words of the page', async () => {
  const name = 'שרה';
  const question = 'איפה ההזמנה שלי?';
  await start(() => ({
    members: [member('sara', { name, replies: 3 })],
    questions: [{ text: question, count: 3, conversationId: 'c' }],
  }));
  await waitFor(() => expect(texts('.summary bdi')).toEqual([name, question]));
  expect(texts('.bar-row .name[dir="auto"]')).toEqual([name]);
  expect(texts('th[scope="row"][dir="auto"]')).toEqual(expect.arrayContaining([name, question]));
});

test('members of one name have their address, and several former members the end of their id', async () => {
  await start(() => ({
    members: [
      member('m1', { name: 'Ann', email: 'ann@example.com' }),
      member('m2', { name: 'Ann', email: 'ann2@example.com' }),
      member('member_0123456789abcd'),
      member('member_0123456789wxyz'),
    ],
  }));
  const names = [
    'Ann ann@example.com',
    'Ann ann2@example.com',
    'Former member …89abcd',
    'Former member …89wxyz',
  ];
  await waitFor(() => expect(texts('.whole th[scope="row"]')).toEqual(names));
  expect(texts('.bar-row .name')).toEqual(expect.arrayContaining(names));
});

test('all numbers of a report have the format of the language', async () => {
  const write = Number.prototype.toLocaleString;
  vi.spyOn(Number.prototype, 'toLocaleString').mockImplementation(function (this: number, _, options) {
    return write.call(this, 'de', options);
  });
  const rated = { offered: 3_000, counts: [0, 0, 0, 1_000, 1_000], given: 2_000, mean: 4.5, good: 1 };
  await start(() => ({
    days: [{ date: '2020-01-01', requested: 1_234 }],
    members: [member('ann', { name: 'Ann', ratings: rated })],
    ratings: rated,
  }));
  await waitFor(() => expect(root().textContent).toContain('2.000 ratings with a mean of 4,5 of 5'));
  expect(texts('dd')).toContain('4,5 of 5');
  expect(texts('.whole td')).toContain('4,5 (2.000)');
  expect(texts('title')[0]).toMatch(/: 1\.234$/);
  vi.restoreAllMocks();
});
