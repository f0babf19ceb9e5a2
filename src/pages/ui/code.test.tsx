// @vitest-environment jsdom
// Tests of parts whose code is loaded when they are shown: before it is here, after a failure, and with it.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import { useCode } from './code.ts';
import { CodeState } from './Page.tsx';

interface Code {
  Part(): string;
}

afterEach(() => render(null, document.body));

test('a part that is loading says so, one that failed can be loaded again, and then it is drawn', async () => {
  const requests: { resolve(code: Code): void; reject(error: Error): void }[] = [];
  const load = () =>
    new Promise<Code>((resolve, reject) => {
      requests.push({ resolve, reject });
    });
  function Place({ isNeeded }: { isNeeded: boolean }) {
    const { loaded, retry } = useCode(load, isNeeded);
    return loaded ? <loaded.Part /> : <CodeState text="It could not be loaded." retry={retry} />;
  }
  const draw = (isNeeded: boolean) => act(() => render(<Place isNeeded={isNeeded} />, document.body));
  const roleAndText = () => {
    const { firstElementChild: element, textContent } = document.body;
    return [element?.getAttribute('role'), textContent];
  };

  await draw(false);
  expect(requests).toHaveLength(0);
  await draw(true);
  expect(roleAndText()).toEqual(['status', 'Loading…']);
  await act(async () => requests[0]?.reject(new TypeError('Failed to fetch')));
  expect(roleAndText()).toEqual(['alert', 'It could not be loaded.Try again']);
  // Not by itself.
  await draw(true);
  expect(requests).toHaveLength(1);

  await act(() => document.querySelector('button')?.click());
  expect(roleAndText()).toEqual(['status', 'Loading…']);
  await act(async () => requests[1]?.resolve({ Part: () => 'The part' }));
  expect(document.body.textContent).toBe('The part');
  await draw(false);
  await draw(true);
  expect([document.body.textContent, requests.length]).toEqual(['The part', 2]);
});
