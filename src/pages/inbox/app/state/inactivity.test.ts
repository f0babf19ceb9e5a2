// @vitest-environment jsdom
// Tests of members who do nothing for a while: they are away, and available again when they are back.
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InboxMember } from '../../../../protocol/inbox.ts';
import { followInactivity } from './inactivity.ts';

const minute = 60_000;
const me = { memberId: 'ada' };

let own = signal<InboxMember | undefined>(undefined);
let sent: string[] = [];
let ends: (() => void)[] = [];

const setOwn = (availability: 'available' | 'away') => {
  own.value = { memberId: 'ada', availability } as InboxMember;
};
/** A tab of the member. Returns what ends it. */
function openTab(): () => void {
  const end = followInactivity(
    {
      own,
      refreshOwn: async () => {},
      async setAvailability(availability) {
        sent.push(availability);
        setOwn(availability);
      },
    },
    me,
    localStorage,
  );
  ends.push(end);
  return end;
}
const press = () => void dispatchEvent(new Event('keydown'));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  own = signal<InboxMember | undefined>(undefined);
  sent = [];
  setOwn('available');
});
afterEach(() => {
  for (const end of ends) end();
  ends = [];
  vi.useRealTimers();
});

test('a member is away after ten minutes without input, and available at the next one', () => {
  openTab();
  vi.advanceTimersByTime(9 * minute);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(2 * minute);
  expect(sent).toEqual(['away']);
  press();
  expect(sent).toEqual(['away', 'available']);
});

test('a member who is away for that reason is available again at an input in a page that is opened later', () => {
  const end = openTab();
  vi.advanceTimersByTime(11 * minute);
  end();
  openTab();
  vi.advanceTimersByTime(minute);
  press();
  expect(sent).toEqual(['away', 'available']);
});

test('an input in another tab makes the member available, too', () => {
  openTab();
  const other = openTab();
  vi.advanceTimersByTime(11 * minute);
  other();
  expect(sent).toEqual(['away']);
  press();
  expect(own.value?.availability).toBe('available');
});

test('a member who is away by hand stays away', () => {
  openTab();
  vi.advanceTimersByTime(11 * minute);
  press();
  setOwn('away');
  vi.advanceTimersByTime(6 * minute);
  press();
  vi.advanceTimersByTime(30 * minute);
  press();
  expect(sent).toEqual(['away', 'available']);
});
