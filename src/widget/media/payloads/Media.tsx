// Payloads beyond text: pictures, sound, videos, files, locations, cards, and blocs of them; and the links in a text.
import type { ComponentType } from 'preact';
import type { CardPayload, Payload, PayloadOf, PayloadType } from '../../../protocol/message.ts';
import type { TypesWith } from '../../chat/payloads/descriptors.ts';
import type { Draw } from '../../chat/payloads/payload-props.ts';
import { Card } from './Card.tsx';
import { Carousel } from './Carousel.tsx';
import { File, Location } from './File.tsx';
import { Image } from './Image.tsx';
import { Audio, Video } from './Player.tsx';

interface MediaProps {
  payload: Payload;
  /** The visitor pressed a button: its label is sent as a text with its value. */
  onAnswer(label: string, value: string, action?: string): void;
  /** Renders one item of a bloc. */
  Item: ComponentType<{ payload: Payload; onAnswer(label: string, value: string, action?: string): void }>;
}

type MediaType = TypesWith<'bundle', 'extras'>;
type Drawing<T extends PayloadType> = Draw<MediaProps & { payload: PayloadOf<T> }>;

const drawings: { [T in MediaType]: Drawing<T> } = {
  image: (props) => <Image {...props} />,
  audio: (props) => <Audio {...props} />,
  video: (props) => <Video {...props} />,
  file: (props) => <File {...props} />,
  location: (props) => <Location {...props} />,
  card: (props) => <Card {...props} />,
  carousel: ({ payload, ...props }) => (
    // Other items are drawn as cards too.
    <Carousel payload={{ ...payload, items: itemsOf(payload.items) as CardPayload[] }} {...props} />
  ),
  bloc: ({ payload, Item, onAnswer }) => (
    <div class="bloc" part="bloc">
      {itemsOf(payload.items).map((item) => (
        <div data-type={item.type}>
          <Item payload={item} onAnswer={onAnswer} />
        </div>
      ))}
    </div>
  ),
};

/** Renders a payload of this bundle. Throws for an unknown shape, and the caller shows its text. */
export function Media(props: MediaProps) {
  return (drawings[props.payload.type as MediaType] as Drawing<PayloadType>)(props);
}

/** The items of a carousel or bloc. Existing servers send them flat or as `{type, payload}`, cards also without a type. */
function itemsOf(items: unknown): Payload[] {
  const children = Array.isArray(items)
    ? items.filter((item) => typeof item === 'object' && item !== null)
    : [];
  if (children.length === 0) throw new TypeError('There is nothing to draw.');
  return children.map((item) => ({ type: 'card', ...item, ...item.payload }));
}
