// @vitest-environment jsdom
// Tests the card of a question: what is asked and its buttons, and after the answer one line that opens.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import type { InterruptPart } from '../../../protocol/parts.ts';
import type { ViewProps } from '../../chat/view.ts';
import { InterruptCard } from './InterruptCard.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
afterEach(() => render(null, frame));

const question = 'Shall I refund the order?';
const approval: InterruptPart = {
  id: 'i',
  at: 0,
  type: 'interrupt',
  reason: 'tool_call',
  message: question,
  expiresAt: '2030-01-01T00:00:00.000Z',
  state: 'open',
};
const form: Partial<InterruptPart> = {
  reason: 'input_required',
  responseSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      size: { type: 'string', title: 'Size', oneOf: [{ const: 'l', title: 'Large' }] },
      gift: { type: 'boolean', title: 'Gift' },
      note: { type: 'string', title: 'Note' },
    },
  },
};

const draw = (part: Partial<InterruptPart>, title = 'Refund order A-1') => {
  const never = () => new Promise(() => {});
  const context = {
    client: { with: () => ({ respondToInterrupt: never }) },
    getSignal: () => new AbortController().signal,
    announce() {},
    widget: {},
  };
  const props = { session: { context }, widget: { adopt() {} }, store: {} } as unknown as ViewProps;
  const interrupt = { ...approval, ...part };
  return act(() =>
    render(
      <InterruptCard {...props} interrupt={interrupt} question={question} title={title}>
        <p>Values</p>
      </InterruptCard>,
      frame,
    ),
  );
};
const texts = (selector: string) => [...frame.querySelectorAll(selector)].map((one) => one.textContent);
const line = () => texts('summary').join();

test('an approval is a title, the question, the values and two buttons, of which the first is the offered one', async () => {
  await draw({});
  expect(texts('fieldset > p')).toEqual(['Refund order A-1', question, 'Values']);
  const buttons = [...frame.querySelectorAll<HTMLElement>('button')];
  expect(buttons.map(({ textContent, dataset }) => [textContent, dataset.first])).toEqual([
    ['Approve', 'true'],
    ['Decline', 'false'],
  ]);
});

test('a question without a title is the title', async () => {
  await draw({ reason: 'confirmation' }, '');
  expect(texts('fieldset > p')).toEqual([question, 'Values']);
});

test.each([
  [{ state: 'resolved', by: 'visitor', response: { approved: true } }, 'ApprovedRefund order A-1'],
  [{ state: 'resolved', by: 'visitor', response: { approved: false } }, 'DeclinedRefund order A-1'],
  [{ state: 'cancelled', by: 'superseded' }, 'Not answeredRefund order A-1'],
  [{ state: 'cancelled', by: 'expired' }, 'No longer availableRefund order A-1'],
  [{ ...form, state: 'cancelled', by: 'visitor' }, 'DeclinedRefund order A-1'],
  [
    {
      ...form,
      state: 'resolved',
      by: 'visitor',
      response: { name: 'Ada', size: 'l', gift: false, note: '' },
    },
    'AnsweredAda · Large · No',
  ],
] as [Partial<InterruptPart>, string][])(
  'after %j it is the line %j, without buttons',
  async (part, words) => {
    await draw(part);
    expect(line()).toBe(words);
    expect(frame.textContent).toBe(words);
    expect(texts('button')).toEqual([]);
  },
);

test('the line opens: what was asked, and all answers with their labels', async () => {
  await draw({ ...form, state: 'resolved', by: 'visitor', response: { name: 'Ada', note: '' } });
  const details = frame.querySelector('details') as HTMLDetailsElement;
  await act(() => {
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
  });
  expect(texts('details > p')).toEqual(['Refund order A-1', question, 'Values']);
  expect(texts('dt')).toEqual(['Name', 'Note']);
  expect(texts('dd')).toEqual(['Ada', '']);
});

test('an answer that is being sent is already the line, which has the focus of the button', async () => {
  await draw({});
  const [approve] = frame.querySelectorAll('button');
  approve?.focus();
  await act(() => approve?.click());
  expect(line()).toBe('ApprovedRefund order A-1');
  expect(texts('.ask-note')).toHaveLength(1);
  expect(texts('button')).toEqual([]);
  expect(document.activeElement?.tagName).toBe('SUMMARY');
});
