// The list of states is complete by the lists of the sources: sections, tabs and lists of the console, and types of payloads.
import { expect, test } from 'vitest';
import { botTabs } from '../../src/pages/console/bots/tabs.ts';
import { consolePages } from '../../src/pages/console/route.ts';
import { settingsTabs } from '../../src/pages/console/settings/tabs.ts';
import { settingsPages } from '../../src/pages/inbox/app/state/route.ts';
import { inboxLists } from '../../src/protocol/inbox.ts';
import { payloadTypes } from '../../src/protocol/schemas/payloads.ts';
import { consoleStates, inboxStates } from './console.ts';
import { pictureOf } from './draw.ts';
import { looks } from './looks.ts';
import { type ShopStage, surfaces } from './state.ts';
import { scenes } from './states.ts';

const all = scenes.flatMap(({ surface, states }) => states.map((state) => ({ surface, state })));
const namesOf = (wanted: string) =>
  all.flatMap(({ surface, state }) => (surface === wanted ? [state.name] : []));

const shop = { botId: 'bot', newBotId: 'bot', conversations: {} };
const addresses = [...inboxStates, ...consoleStates].map(({ query }) =>
  typeof query === 'string' ? query : query({ shop } as unknown as ShopStage),
);

test('each state has a picture of its own, and each surface has states', () => {
  const [look] = looks;
  if (!look) throw new Error('There is no look.');
  const pictures = all.map(({ surface, state }) => pictureOf(surface, state, look));
  expect(pictures.filter((picture, index) => pictures.indexOf(picture) !== index)).toEqual([]);
  expect(new Set(all.map(({ surface }) => surface))).toEqual(new Set(surfaces));
});

test('each type of payload has a state', () => {
  expect(namesOf('Answers')).toEqual(expect.arrayContaining([...payloadTypes]));
});

test('each section of the console, each of its tabs, and each list of the inbox has a state at its address', () => {
  const wanted = [
    ...consolePages.map((page) => `page=${page}`),
    ...botTabs.map((tab) => `tab=${tab}`),
    ...settingsTabs.map((tab) => `page=settings&tab=${tab}`),
    ...settingsPages.map((page) => `settings=${page}`),
    ...inboxLists.map((list) => `list=${list}`),
  ];
  const missing = wanted.filter((part) => !addresses.some((address) => address.includes(part)));
  expect(missing).toEqual([]);
});
