// A payload of each type for the live chat. Media are files beside the site, so that nothing is loaded from elsewhere.
import type { PayloadOf, PayloadType } from '../../../protocol/message.ts';

type Samples = { [Type in PayloadType]: PayloadOf<Type> } & Record<string, PayloadOf<PayloadType>>;

/** @param root an address in the folder of the site, which contains `media/` */
export function payloadSamples(root: string): Samples {
  const media = (name: string) => new URL(`media/${name}`, root).href;
  const image: PayloadOf<'image'> = {
    type: 'image',
    imageUrl: media('photo.svg'),
    title: 'A photo',
  };
  const card = (title: string, subtitle: string): PayloadOf<'card'> => ({
    type: 'card',
    title,
    subtitle,
    imageUrl: media('photo.svg'),
    actions: [
      { action: 'say', label: `Choose ${title}`, value: title },
      { action: 'url', label: 'Read more', value: 'https://example.com/' },
    ],
  });
  const options = ['card', 'image', 'markdown'].map((value) => ({ label: value, value }));
  return {
    text: { type: 'text', text: 'Plain text, with a link: https://example.com' },
    markdown: {
      type: 'markdown',
      markdown:
        '**Formatted** text with `code`, a list and a table:\n\n- one\n- two\n\n| Plan | Price |\n|---|--:|\n| Basic | 9 |\n| Team | 29 |',
    },
    image,
    audio: { type: 'audio', audioUrl: media('tone.wav'), title: 'A tone' },
    video: { type: 'video', videoUrl: media('clip.webm'), title: 'A short clip' },
    file: { type: 'file', fileUrl: media('guide.txt'), title: 'guide.txt' },
    location: {
      type: 'location',
      latitude: 46.9481,
      longitude: 7.4474,
      title: 'Zytglogge',
      address: 'Bern, Switzerland',
    },
    card: card('Basic', 'For one website'),
    carousel: {
      type: 'carousel',
      items: [card('Basic', 'For one website'), card('Team', 'For up to ten people')],
    },
    choice: { type: 'choice', text: 'Which one?', options },
    dropdown: { type: 'dropdown', text: 'Pick one:', options },
    bloc: { type: 'bloc', items: [{ type: 'text', text: 'Several things in one message:' }, image] },
  };
}
