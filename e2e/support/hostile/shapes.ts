// The positions of hostile values: every field of every payload that is displayed or announced.
import type { PayloadType } from '../../../src/protocol/message.ts';

type Payload = Record<string, unknown>;
export type Shape = [name: string, make: (evil: unknown) => Payload];

/** A shape of every type. The compiler names it when a type is missing. */
type EveryShape = { [Type in PayloadType]: (evil: unknown) => Payload & { type: Type } };

/** Every text field of every type. `folder` contains files that may be loaded. */
const byType = (folder: string): EveryShape => ({
  text: (x) => ({ type: 'text', text: x, value: x, title: x }),
  markdown: (x) => ({ type: 'markdown', markdown: x }),
  image: (x) => ({ type: 'image', imageUrl: `${folder}photo.svg`, title: x, width: x, height: x }),
  audio: (x) => ({ type: 'audio', audioUrl: `${folder}tone.wav`, title: x }),
  video: (x) => ({ type: 'video', videoUrl: `${folder}clip.webm`, title: x }),
  file: (x) => ({ type: 'file', fileUrl: `${folder}guide.txt`, title: x, fileId: x }),
  location: (x) => ({ type: 'location', latitude: 1, longitude: 2, title: x, address: x }),
  card: (x) => ({ type: 'card', ...card(x, folder) }),
  carousel: (x) => ({ type: 'carousel', items: [card(x, folder), { type: x, ...card(x, folder) }] }),
  choice: (x) => ({ type: 'choice', text: x, options: options(x) }),
  dropdown: (x) => ({ type: 'dropdown', text: x, options: options(x), disableFreeText: x }),
  bloc: (x) => ({ type: 'bloc', items: items(x, folder) }),
});

/** The same, and payloads that are unusual or have no valid type. */
export const texts = (folder: string): Shape[] => [
  ...Object.entries(byType(folder)),
  ['file key', (x) => ({ type: 'file', fileUrl: folder + encode(x), title: '' })],
  ['place', (x) => ({ type: 'location', latitude: x, longitude: x, title: 'A place' })],
  [
    'bloc, nested',
    (x) => ({ type: 'bloc', items: items(x, folder).map(({ type, ...payload }) => ({ type, payload })) }),
  ],
  ['unknown', (x) => ({ type: typeof x === 'string' ? x : 'odd', title: x, [key(x)]: x })],
  ['type', (x) => ({ type: x, text: 'Some words' })],
];

/** Every field that contains a URL. */
export const addressed: Shape[] = [
  ['media', (x) => ({ type: 'bloc', items: media(x) })],
  [
    'media, nested',
    (x) => ({ type: 'bloc', items: media(x).map(({ type, ...payload }) => ({ type, payload })) }),
  ],
  [
    'card',
    (x) => ({
      type: 'card',
      title: 'A card',
      imageUrl: x,
      actions: [{ action: 'url', label: 'Follow', value: x }],
    }),
  ],
  [
    'words',
    (x) => ({
      type: 'bloc',
      items: [
        { type: 'text', text: `(${x})` },
        { type: 'markdown', markdown: `[a link](${x}) <${x}> [a link](<${x}>) ${x}` },
        { type: 'markdown', markdown: `![a picture](${x}) [![a picture](${x})](${x})` },
        { type: 'markdown', markdown: `[a link][r] ![a picture][r]\n\n[r]: ${x}` },
      ],
    }),
  ],
];

const media = (x: unknown): Payload[] => [
  { type: 'image', imageUrl: x },
  { type: 'audio', audioUrl: x },
  { type: 'video', videoUrl: x },
  { type: 'file', fileUrl: x },
];

const card = (x: unknown, folder: string) => ({
  title: x,
  subtitle: x,
  imageUrl: `${folder}photo.svg`,
  actions: [
    { action: 'postback', label: x, value: x },
    { action: 'say', label: x, value: x },
    { action: 'url', label: x, value: 'https://example.com/' },
    { action: x, label: 'A button', value: x },
  ],
});

const options = (x: unknown) => [
  { label: x, value: x },
  { label: 'A', value: x },
  { label: x, value: 'b' },
  x,
];

const items = (x: unknown, folder: string): Payload[] => [
  { type: 'text', text: x },
  { type: 'markdown', markdown: x },
  { type: 'image', imageUrl: `${folder}photo.svg`, title: x },
  { type: 'audio', audioUrl: `${folder}tone.wav`, title: x },
  { type: 'file', fileUrl: `${folder}guide.txt`, title: x },
  { type: 'location', latitude: 1, longitude: 2, address: x },
];

const key = (x: unknown) => (typeof x === 'string' ? x : 'key');
function encode(x: unknown): string {
  try {
    return encodeURIComponent(String(x));
  } catch {
    return 'half-a-character';
  }
}
