// The fields that each type of payload needs, with their types. Generated from src/protocol/schemas/payloads.ts by payload-modules.test.ts
// (`npm run generate`): with inferred types, every project that uses the client would need the schema library. Do not edit.
// biome-ignore-all format: generated

import type { PayloadType } from '../../../protocol/payloads.ts';

export const neededFields: {
  readonly [Type in PayloadType]: Readonly<Record<string, 'string' | 'number' | 'array'>>;
} = {
  text: { text: 'string' },
  markdown: { markdown: 'string' },
  image: { imageUrl: 'string' },
  audio: { audioUrl: 'string' },
  video: { videoUrl: 'string' },
  file: { fileUrl: 'string' },
  location: { latitude: 'number', longitude: 'number' },
  card: { title: 'string', actions: 'array' },
  carousel: { items: 'array' },
  choice: { text: 'string', options: 'array' },
  dropdown: { text: 'string', options: 'array' },
  bloc: { items: 'array' },
};
