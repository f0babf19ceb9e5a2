// The cases of canned answers and of opening hours, for inbox.contract.ts.
import { describe, expect, test } from 'vitest';
import type { OpeningHours } from '../../protocol/handling/opening-hours.ts';
import { refusal } from './fixture.contract.ts';
import type { ContractMember, InboxFixture } from './inbox-fixture.contract.ts';

export function inboxSettingsContract({ member, asked }: InboxFixture): void {
  describe('canned answers', () => {
    const answersOf = ({ inbox }: ContractMember) => inbox.list.cannedAnswers().collect();

    test('of a member are listed, changed and deleted by the member only', async () => {
      const [ada, ben] = [await member(), await member()];
      const before = await answersOf(ada);
      const fields = { scope: 'own', name: 'hello', text: 'Hello {{visitor.name|there}}' } as const;
      const { cannedAnswer } = await ada.inbox.createCannedAnswer(fields);
      const { id, createdAt } = cannedAnswer;
      expect(cannedAnswer).toEqual({ ...fields, id: expect.any(String), createdAt, updatedAt: createdAt });
      expect(await answersOf(ada)).toEqual([...before, cannedAnswer]);
      expect(await answersOf(ben)).toEqual(before);
      const { cannedAnswer: changed } = await ada.inbox.updateCannedAnswer({ id, text: 'Good morning' });
      expect(changed).toEqual({
        ...{ ...cannedAnswer, text: 'Good morning', updatedAt: expect.any(String) },
      });
      expect(await ada.inbox.updateCannedAnswer({ id, name: 'morning' })).toMatchObject({
        cannedAnswer: { name: 'morning', text: 'Good morning' },
      });
      expect((await answersOf(ada)).at(-1)).toMatchObject({ id, name: 'morning', text: 'Good morning' });
      expect(await refusal(ben.inbox.updateCannedAnswer({ id, name: 'x' }))).toBe('404 ResourceNotFound');
      expect(await refusal(ben.inbox.deleteCannedAnswer({ id }))).toBe('404 ResourceNotFound');
      for (const wrong of [{ name: '' }, { text: ' ' }, { scope: 'odd' }, { name: 'x'.repeat(51) }]) {
        const call = ada.inbox.createCannedAnswer({ ...fields, ...(wrong as object) });
        expect(await refusal(call), JSON.stringify(wrong)).toBe('400 InvalidPayload');
      }
      const { cannedAnswer: second } = await ada.inbox.createCannedAnswer({ ...fields, name: 'again' });
      const paged = await ada.inbox.list.cannedAnswers({ pageSize: 1 }).collect();
      expect(paged).toEqual(await answersOf(ada));
      for (const one of [id, second.id]) expect(await ada.inbox.deleteCannedAnswer({ id: one })).toEqual({});
      expect(await answersOf(ada)).toEqual(before);
      expect(await refusal(ada.inbox.deleteCannedAnswer({ id }))).toBe('404 ResourceNotFound');
    });

    test('of the workspace are read by all members, and written by those who have its settings', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const fields = { scope: 'workspace', name: 'bye', text: 'Goodbye' } as const;
      expect(await refusal(ada.inbox.createCannedAnswer(fields))).toBe('403 Forbidden');
      const { cannedAnswer } = await mia.inbox.createCannedAnswer(fields);
      const { id } = cannedAnswer;
      expect(await answersOf(ada)).toContainEqual(cannedAnswer);
      expect(await refusal(ada.inbox.updateCannedAnswer({ id, name: 'x' }))).toBe('403 Forbidden');
      expect(await refusal(ada.inbox.deleteCannedAnswer({ id }))).toBe('403 Forbidden');
      await mia.inbox.updateCannedAnswer({ id, name: 'farewell' });
      expect((await answersOf(ada)).find((one) => one.id === id)?.name).toBe('farewell');
      expect(await mia.inbox.deleteCannedAnswer({ id })).toEqual({});
      expect((await answersOf(ada)).map((one) => one.id)).not.toContain(id);
    });
  });

  test('outside of the opening hours a request for a person is not accepted, and says when somebody is back', async () => {
    const [ada, mia] = [await member(), await member('manager')];
    const { openingHours, status } = await ada.inbox.getOpeningHours();
    expect(status).toEqual({ isOpen: true });
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const closed: OpeningHours = {
      timeZone: 'UTC',
      week: {},
      exceptions: [{ from: day, to: day, name: 'Sale', intervals: [['00:00', '24:00']] }],
    };
    const opensAt = `${day}T00:00:00.000Z`;
    try {
      expect(await refusal(ada.inbox.setOpeningHours(closed))).toBe('403 Forbidden');
      const set = { openingHours: closed, status: { isOpen: false, opensAt } };
      expect(await mia.inbox.setOpeningHours(closed)).toEqual(set);
      expect(await ada.inbox.getOpeningHours()).toEqual(set);
      const { answer, id } = await asked();
      expect(answer).toMatchObject({ accepted: false, opensAt });
      expect(await refusal(ada.inbox.getInboxConversation({ id }))).toBe('404 ResourceNotFound');
      for (const wrong of [
        { timeZone: 'Mars/Base' },
        { week: { mon: [['9', '17']] } },
        { exceptions: [{ from: day, to: '2020-01-01', intervals: [] }] },
      ]) {
        const call = mia.inbox.setOpeningHours({ ...closed, ...(wrong as object) });
        expect(await refusal(call), JSON.stringify(wrong)).toBe('400 InvalidPayload');
      }
      expect(await ada.inbox.getOpeningHours()).toEqual(set);
    } finally {
      await mia.inbox.setOpeningHours(openingHours);
    }
    expect(await ada.inbox.getOpeningHours()).toEqual({ openingHours, status });
    expect((await asked()).answer.accepted).toBe(true);
  });
}
