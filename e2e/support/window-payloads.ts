// A payload of every type, as a bot can send it, for the states of the window (window-states.ts).
import type { PayloadOf, PayloadType } from '../../src/protocol/message.ts';
import type { ChatPage } from './chat-page.ts';

type Make<Type extends PayloadType> = (chat: ChatPage) => PayloadOf<Type>;

const picture = (chat: ChatPage) => `${chat.platform.url}/demo/media/photo.svg`;
const card = (chat: ChatPage, title: string): PayloadOf<'card'> => ({
  type: 'card',
  title,
  subtitle: 'For one website',
  imageUrl: picture(chat),
  actions: [
    { action: 'say', label: 'Tell me more', value: 'more' },
    { action: 'url', label: 'Open the website', value: 'https://example.org' },
  ],
});
const options = ['Yes', 'No'].map((label) => ({ label, value: label }));
const markdown = (chat: ChatPage) =>
  `## A title\n\nSome **bold** words, \`code\` and a [link](https://example.org).\n\n- [x] done\n\n| Plan | Price |\n|---|---|\n| Basic | 0 |\n\n\`\`\`js\nlet a = "text"; // note\n\`\`\`\n\n![A drawing](${picture(chat)})\n\n![Elsewhere](https://elsewhere.test/a.png)\n\n> A quotation.`;

/** The only payload below whose name is not a type. */
export const broken = 'image that cannot be loaded';

/** A payload of every type. The compiler names it when a type is missing. */
type EveryPayload = { [Type in PayloadType]: Make<Type> };

/** Every payload that a bot can send. The choice is the last one, because the next state answers it. */
export const payloads: EveryPayload & Record<typeof broken, Make<'image'>> = {
  text: () => ({ type: 'text', text: 'Look at https://example.org' }),
  markdown: (chat) => ({ type: 'markdown', markdown: markdown(chat) }),
  image: (chat) => ({ type: 'image', imageUrl: picture(chat), title: 'A drawing' }),
  [broken]: () => ({
    type: 'image',
    imageUrl: 'ftp://example.org/a.png',
    title: 'Lost',
  }),
  audio: (chat) => ({ type: 'audio', audioUrl: `${chat.platform.url}/demo/media/tone.wav`, title: 'A tone' }),
  video: (chat) => ({
    type: 'video',
    videoUrl: `${chat.platform.url}/demo/media/clip.webm`,
    title: 'A clip',
  }),
  file: () => ({ type: 'file', fileUrl: 'https://example.org/guide.txt', title: 'guide.txt' }),
  location: () => ({ type: 'location', latitude: 46.9, longitude: 7.4, title: 'A tower', address: 'Bern' }),
  card: (chat) => card(chat, 'Basic plan'),
  carousel: (chat) => ({ type: 'carousel', items: [card(chat, 'Basic plan'), card(chat, 'Team plan')] }),
  dropdown: () => ({ type: 'dropdown', text: 'Pick one:', options }),
  bloc: (chat) => ({
    type: 'bloc',
    items: [
      { type: 'text', text: 'Two things:' },
      { type: 'image', imageUrl: picture(chat), title: 'A drawing' },
    ],
  }),
  choice: () => ({ type: 'choice', text: 'Which one?', options }),
};
