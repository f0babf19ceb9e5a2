// Scenarios of the features that a site turns on: voice messages, sizes of the window.
import assert from 'node:assert/strict';
import { pollUntil } from '../../support/poll.ts';
import { botRow, ownRow, type Scenario } from './scenario.ts';

export const featureScenarios: Scenario[] = [
  {
    name: 'the window is expanded by the menu, and resized by keyboard; the next page view has the size',
    async run({ visitor, driver, page }) {
      const url = page({ attributes: 'data-expandable data-dockable data-resizable' });
      await visitor.openConversation(url);
      const width = async () => (await visitor.waitFor('.window')).width;
      const normal = await width();
      const choose = async (command: string) => {
        await visitor.click('.tool', 'More');
        await visitor.click('[role="menuitem"]', command);
      };
      await choose('Expand window');
      await pollUntil('the window is wider', async () => (await width()) > normal + 50);
      await choose('Restore normal size');
      await pollUntil('the window is as before', async () => (await width()) === normal);
      await driver.evaluate(() => {
        const root = document.querySelector('platform-webchat')?.shadowRoot;
        root?.querySelector<HTMLElement>('[role="separator"][aria-orientation="vertical"]')?.focus();
      });
      await visitor.press('Home');
      await pollUntil('the window has its least width', async () => (await width()) < normal);
      const least = await width();
      await visitor.openConversation(url, 'demo bot');
      assert.equal(await width(), least);
    },
  },
  {
    name: 'a voice message is recorded where the browser can, and played in the format of the browser',
    async run({ visitor, driver, page }) {
      // A tone in place of the microphone, which no engine has here.
      const before = `
        if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
          const context = new AudioContext();
          const tone = context.createOscillator();
          const { stream } = tone.connect(context.createMediaStreamDestination());
          tone.start();
          window.track = stream.getTracks()[0];
          return stream;
        };`;
      await visitor.openConversation(page({ attributes: 'data-voice-messages data-emoji-picker', before }));
      await visitor.waitFor('[part="emoji"]');
      const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
      // WebKitGTK has the interface and no encoder.
      const canRecord = await driver.evaluate(
        (all) => 'MediaRecorder' in self && all.some((type) => MediaRecorder.isTypeSupported(type)),
        types,
      );
      if (!canRecord) {
        await visitor.waitForCount('[part="voice"]', 0);
        return;
      }
      await visitor.click('[part="voice"]', 'Record a voice message');
      await visitor.waitFor('.recording [role="timer"]', /[2-9]/);
      await visitor.click('.recording .send');
      await visitor.waitFor(botRow, 'received audio');
      const track = await driver.evaluate(
        () => (window as unknown as { track: MediaStreamTrack }).track.readyState,
      );
      assert.equal(track, 'ended');
      const payload = (await visitor.serverMessages()).at(-2)?.payload;
      assert.ok(payload?.type === 'audio');
      const { headers } = await fetch(payload.audioUrl, { headers: { range: 'bytes=0-9' } });
      assert.match(headers.get('content-type') ?? '', /^audio\/(webm|mp4|ogg)$/);
      assert.match(headers.get('content-range') ?? '', /^bytes 0-9\/\d{4}/);
      await visitor.waitFor(`${ownRow} .audio`);
      await pollUntil('it is played', () =>
        driver.evaluate(async () => {
          const root = document.querySelector('platform-webchat')?.shadowRoot;
          const audio = root?.querySelector<HTMLAudioElement>('[data-side="visitor"] audio');
          if (!audio) return false;
          audio.muted = true;
          await audio.play();
          return audio.currentTime > 0 || audio.ended;
        }),
      );
    },
  },
];
