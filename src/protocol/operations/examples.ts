// Payloads of every type, for the examples of operations that send messages.
import type { PayloadOf, PayloadType } from '../message.ts';

const url = 'https://example.com/a';
const option = { label: 'A', value: 'a' };

const examples: { [Type in PayloadType]: PayloadOf<Type> } = {
  text: { type: 'text', text: 'Hello', value: 'hello' },
  markdown: { type: 'markdown', markdown: '# Hello' },
  image: { type: 'image', imageUrl: url, title: 'A', fileId: 'file' },
  audio: { type: 'audio', audioUrl: url },
  video: { type: 'video', videoUrl: url },
  file: { type: 'file', fileUrl: url, title: 'a.txt' },
  location: { type: 'location', latitude: 1.5, longitude: -2, address: 'Here' },
  card: { type: 'card', title: 'A', subtitle: 'B', actions: [{ action: 'say', label: 'A', value: 'a' }] },
  carousel: { type: 'carousel', items: [{ type: 'card', title: 'A', imageUrl: url, actions: [] }] },
  choice: { type: 'choice', text: 'Which?', options: [option], disableFreeText: true },
  dropdown: { type: 'dropdown', text: 'Which?', options: [option, option] },
  bloc: {
    type: 'bloc',
    items: [
      { type: 'text', text: 'A' },
      { type: 'audio', audioUrl: url },
    ],
  },
};

export const payloadExamples = Object.values(examples);
