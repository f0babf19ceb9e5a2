// @vitest-environment jsdom
// Tests the player of sound: its button, position and time, what screen readers are told, and what is loaded.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Audio } from './Audio.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
const played: HTMLMediaElement[] = [];
const paused: HTMLMediaElement[] = [];
beforeEach(() => {
  // jsdom plays nothing.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    played.push(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    paused.push(this);
  });
});
afterEach(() => {
  render(null, frame);
  vi.restoreAllMocks();
  played.length = paused.length = 0;
});

const sound = { type: 'audio', audioUrl: 'https://example.com/tone.wav', title: 'A tone' } as const;
const draw = (...payloads: Parameters<typeof Audio>[0]['payload'][]) =>
  act(() =>
    render(
      payloads.map((payload) => <Audio payload={payload} />),
      frame,
    ),
  );
const find = <Found extends HTMLElement>(selector: string) => frame.querySelector(selector) as Found;
const tell = (name: string, values: object = {}) =>
  act(() => {
    const audio = find<HTMLAudioElement>('audio');
    for (const [key, value] of Object.entries(values))
      Object.defineProperty(audio, key, { value, configurable: true, writable: true });
    audio.dispatchEvent(new Event(name));
  });
const button = () => find<HTMLButtonElement>('button').getAttribute('aria-label');
const range = () => find<HTMLInputElement>('input');

test('nothing is loaded before it is played, and the position cannot be moved before it is known', async () => {
  await draw(sound);
  expect(find<HTMLAudioElement>('audio').preload).toBe('none');
  expect(button()).toBe('Play: A tone');
  expect(range().disabled).toBe(true);
  expect(frame.textContent).toContain('00:00');
});

test('the button plays and pauses, and is called by what it does', async () => {
  await draw(sound);
  await act(() => find('button').click());
  expect(played).toHaveLength(1);
  await tell('play');
  expect(button()).toBe('Pause: A tone');
  await act(() => find('button').click());
  expect(paused).toEqual([find('audio')]);
  await tell('pause');
  expect(button()).toBe('Play: A tone');
});

test('the position is told as a time, and is moved by the visitor', async () => {
  await draw(sound);
  await tell('durationchange', { duration: 90, currentTime: 0 });
  await tell('timeupdate', { currentTime: 30 });
  expect(range().getAttribute('aria-label')).toBe('A tone');
  expect(range().getAttribute('aria-valuetext')).toBe('00:30 / 01:30');
  expect(range().style.getPropertyValue('--played')).toMatch(/^33\.3/);
  range().value = '50';
  await act(() => void range().dispatchEvent(new Event('input', { bubbles: true })));
  expect(find<HTMLAudioElement>('audio').currentTime).toBe(45);
});

test('a sound without an end has a time and no position', async () => {
  const { title: _, ...unnamed } = sound;
  await draw(unnamed);
  await tell('durationchange', { duration: Number.POSITIVE_INFINITY, currentTime: 5 });
  expect(range().disabled).toBe(true);
  expect(range().getAttribute('aria-valuetext')).toBe('00:05');
  expect(button()).toBe('Play: Audio');
});

test('one sound is played at a time', async () => {
  await draw(sound, { ...sound, title: 'Another' });
  await tell('play');
  expect(paused).toEqual([frame.querySelectorAll('audio')[1]]);
});

test('what cannot be loaded is its name with a link', async () => {
  await draw(sound);
  await tell('error');
  expect(find<HTMLAnchorElement>('a').href).toBe(sound.audioUrl);
  expect(frame.textContent).toContain('A tone');
  await draw({ ...sound, audioUrl: 'javascript:alert(1)' });
  expect(frame.querySelector('a, audio')).toBeNull();
});
