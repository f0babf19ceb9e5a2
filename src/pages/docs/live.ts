// Replaces the picture of the chat on the start page by the chat.
import { followGround } from './frame/ground.ts';
import type { FrameWindow } from './frame/try-chat.ts';

export function startLive(poster: HTMLElement): void {
  const root = new URL(document.documentElement.dataset.root ?? '', location.href).href;
  const frame = document.createElement('iframe');
  frame.title = 'A page with the live chat';
  frame.src = `${root}try.html`;
  frame.addEventListener('load', () => {
    // For as long as the page: the frame stays.
    followGround(frame);
    (frame.contentWindow as FrameWindow).tryChat?.start({
      configuration: { botName: 'Ada', botDescription: 'A mock in your browser' },
      isOpen: true,
      payloads: [
        {
          type: 'text',
          text: 'Hello! I am the real chat window, on a page without a server. Write something, or choose:',
        },
        {
          type: 'choice',
          text: 'Show me',
          options: ['markdown', 'carousel', 'location'].map((value) => ({ label: value, value })),
        },
      ],
    });
    frame.focus();
  });
  poster.replaceChildren(frame);
}
