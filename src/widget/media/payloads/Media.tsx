// Payloads beyond text: pictures, sound, videos, files, locations, cards, and blocs of them; and the links in a text.
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type {
  CardPayload,
  FilePayload,
  LocationPayload,
  Payload,
  PayloadOf,
  PayloadType,
  VideoPayload,
} from '../../../protocol/message.ts';
import type { TypesWith } from '../../chat/payloads/descriptors.ts';
import type { Draw } from '../../chat/payloads/payload-props.ts';
import { Icon } from '../../icon.tsx';
import { formatFileSize } from '../attachments/file-size.ts';
import { strings } from '../strings.ts';
import { Audio } from './Audio.tsx';
import { followable, loadable, nameOf } from './addresses.ts';
import { Card } from './Card.tsx';
import { Carousel } from './Carousel.tsx';
import { Image } from './Image.tsx';
import { Broken, Link } from './Link.tsx';

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

/** A video in the browser's own player. Nothing is loaded until the visitor presses play. */
function Video({ payload: { videoUrl, title } }: { payload: VideoPayload }) {
  const [isBroken, setIsBroken] = useState(false);
  const address = loadable(videoUrl);
  if (!address || isBroken) return <Broken name={title || videoUrl} address={videoUrl} />;
  return (
    <figure class="player" part="video">
      {/* biome-ignore lint/a11y/useMediaCaption: the bot sends no captions */}
      <video
        // Before `src`: if it were set later, the browser would already have started to load.
        preload="none"
        src={address}
        controls
        playsinline
        aria-label={title || strings.video}
        onError={() => {
          setIsBroken(true);
        }}
      />
      {title && <figcaption dir="auto">{title}</figcaption>}
    </figure>
  );
}

// Lucide "file-text", "download" and "map-pin" (ISC).
const filePath = 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6M16 13H8M16 17H8M10 9H8';
const downloadPath = 'M12 3v12M7 10l5 5 5-5M4 21h16';
const pinPath = 'M20 10c0 6-8 12-8 12s-8-6-8-12a8 8 0 0 1 16 0M9 10a3 3 0 1 0 6 0 3 3 0 1 0-6 0';

/** A file to download, as a link. `size`: an extra key of our own uploads, in bytes. */
function File({ payload }: { payload: FilePayload & { size?: unknown } }) {
  const { fileUrl, title, size } = payload;
  const address = followable(fileUrl);
  const name = [title, address ? nameOf(address) : fileUrl, strings.file].map(forwards).find(Boolean);
  const [, type = ''] = /\.(\w{1,5})$/.exec(name ?? '') ?? [];
  const facts = [type.toUpperCase(), Number(size) > 0 && formatFileSize(Number(size))].filter(Boolean);
  return (
    <Link href={fileUrl} class="thing" part="file">
      <i>
        <Icon path={filePath} />
      </i>
      <span>
        <bdi>{name}</bdi>
        {facts.length > 0 && (
          <small>
            <bdi>{facts.join(' · ')}</bdi>
          </small>
        )}
      </span>
      {address && <Icon path={downloadPath} />}
    </Link>
  );
}

/** Removes characters that reverse the text direction: `photo\u202egnp.exe` would look like a picture. */
const forwards = (name: unknown) =>
  typeof name === 'string' ? name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trim() : '';

/** A location on a map, as a link. */
function Location({ payload }: { payload: LocationPayload }) {
  const { title, address } = payload;
  const [latitude, longitude] = [Number(payload.latitude), Number(payload.longitude)];
  const isKnown = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  // A link and not an embedded map, which would reveal the visitor to the map's server without a click.
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <Link href={isKnown && map} class="thing" part="location">
      <i>
        <Icon path={pinPath} />
      </i>
      <span>
        <b dir="auto">{title || address || strings.location}</b>
        {title && address && <small dir="auto">{address}</small>}
        {isKnown && (
          <small>
            <bdi dir="ltr">{`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</bdi>
          </small>
        )}
      </span>
    </Link>
  );
}
