// The positions of hostile values: every field of every payload that is displayed or announced, read from the schemas.
import type { PayloadType } from '../../../src/protocol/message.ts';
import {
  fillSlots,
  Slot,
  slotsOf,
  type Template,
  templates,
  validValue,
} from '../../../src/protocol/schemas/payload-slots.testing.ts';

type Payload = Record<string, unknown>;
export type Shape = [name: string, make: (evil: unknown) => Payload];

const bloc = templates.find(({ type }) => type === 'bloc') as Template & { items: Template[] };

/** Fields that the widget reads of a type although no schema has or allows them. */
const unusual: { [Type in PayloadType]?: (made: Payload, evil: unknown) => Payload } = {
  text: (made, x) => ({ ...made, title: x }),
  image: (made, x) => ({ ...made, width: x, height: x }),
  card: (made, x) => ({ ...made, actions: [...(made.actions as unknown[]), validLink(x)] }),
  carousel: (made, x) => {
    const items = made.items as Payload[];
    return { ...made, items: [...items, { ...items[0], type: x, actions: [validLink(x)] }] };
  },
};

/** A link that is drawn, in contrast to one with a hostile URL. */
const validLink = (label: unknown) => ({ action: 'url', label, value: 'https://example.com/' });

/** Every field of every type, and payloads that are unusual or have no valid type. `folder` has the files of `fileOf`. */
export const texts = (folder: string): Shape[] => [
  ...templates.map((template): Shape => {
    const change = unusual[template.type as PayloadType];
    const make = (x: unknown) => hostile(template, x, folder) as Payload;
    return [template.type, (x) => change?.(make(x), x) ?? make(x)];
  }),
  ['file key', (x) => ({ type: 'file', fileUrl: folder + encode(x), title: '' })],
  ['place', (x) => ({ type: 'location', latitude: x, longitude: x, title: 'A place' })],
  ['bloc, nested', (x) => nested(hostile(bloc, x, folder))],
  ['unknown', (x) => ({ type: typeof x === 'string' ? x : 'odd', title: x, [key(x)]: x })],
  ['type', (x) => ({ type: x, text: 'Some words' })],
];

/** Every field that contains a URL. */
export const addressed: Shape[] = [
  ...templates
    // The others are in a bloc.
    .filter((one) => slotsOf(one).some(isLink) && !bloc.items.some(({ type }) => type === one.type))
    .map((template): Shape => [template.type, (x) => linked(template, x) as Payload]),
  ['bloc, nested', (x) => nested(linked(bloc, x))],
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

/** The bloc as existing servers send it. */
const nested = (payload: unknown): Payload => {
  const { items } = payload as { items: unknown[] };
  const nest = (item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const { type, ...rest } = item as Payload;
    return { type, payload: rest };
  };
  return { type: 'bloc', items: items.map(nest) };
};

const files: Record<string, string> = { imageUrl: 'photo.svg', audioUrl: 'tone.wav', videoUrl: 'clip.webm' };
/** A file that may be loaded. */
const fileOf = (slot: Slot) => files[slot.name] ?? 'guide.txt';

/** The template with the value in every field, except in addresses and numbers, and as an item of every list. */
function hostile(template: unknown, x: unknown, folder: string): unknown {
  const value = (slot: Slot) => {
    if (slot.isAddress) return folder + fileOf(slot);
    return slot.kind === 'number' ? 1 : x;
  };
  if (template instanceof Slot) return value(template);
  if (Array.isArray(template)) return [...template.flatMap((item) => hostileItems(item, x, folder)), x];
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, field]) => [name, hostile(field, x, folder)]),
  );
}

/**
 * An item of a list with the value in every field. Also, with it in only one of the texts; and with each of the valid
 * kinds of the item, because a button of an unknown kind is not drawn.
 */
function hostileItems(item: object, x: unknown, folder: string): unknown[] {
  const all = hostile(item, x, folder) as Payload;
  const fields = Object.entries(item);
  const kinds = fields.flatMap(([name, slot]) =>
    slot instanceof Slot ? slot.options.map((option) => ({ ...all, [name]: option })) : [],
  );
  const isOnlyText = fields.every(([, slot]) => slot instanceof Slot && slot.kind === 'string');
  const single = fields.map(([name]) => ({ ...(fillSlots(item, () => 'A') as Payload), [name]: x }));
  return [all, ...kinds, ...(isOnlyText ? single : [])];
}

/** Whether a field is a URL: the value of a button is one, if it has the action `url`. */
function isLink({ isAddress, path }: Slot): boolean {
  return isAddress || path.endsWith('.actions.value');
}

/** The template with the value in every URL. Without optional texts, so that names are made from the URL. */
function linked(template: Template, x: unknown): unknown {
  return fillSlots(template, (slot) => {
    if (isLink(slot)) return x;
    if (slot.options.includes('url')) return 'url';
    return slot.isOptional ? undefined : validValue(slot);
  });
}

const key = (x: unknown) => (typeof x === 'string' ? x : 'key');
function encode(x: unknown): string {
  try {
    return encodeURIComponent(String(x));
  } catch {
    return 'half-a-character';
  }
}
