// Payloads of every type, for the examples of operations that send messages.

const url = 'https://example.com/a';
const option = { label: 'A', value: 'a' };

export const payloadExamples = [
  { type: 'text', text: 'Hello', value: 'hello' },
  { type: 'markdown', markdown: '# Hello' },
  { type: 'image', imageUrl: url, title: 'A', fileId: 'file' },
  { type: 'audio', audioUrl: url },
  { type: 'video', videoUrl: url },
  { type: 'file', fileUrl: url, title: 'a.txt' },
  { type: 'location', latitude: 1.5, longitude: -2, address: 'Here' },
  { type: 'card', title: 'A', subtitle: 'B', actions: [{ action: 'say', label: 'A', value: 'a' }] },
  { type: 'carousel', items: [{ type: 'card', title: 'A', imageUrl: url, actions: [] }] },
  { type: 'choice', text: 'Which?', options: [option], disableFreeText: true },
  { type: 'dropdown', text: 'Which?', options: [option, option] },
  {
    type: 'bloc',
    items: [
      { type: 'text', text: 'A' },
      { type: 'audio', audioUrl: url },
    ],
  },
];
