// A file to download, and a location on a map: both are links.
import type { FilePayload, LocationPayload } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../strings.ts';
import { followable, nameOf } from './addresses.ts';
import { Link } from './Link.tsx';

// Lucide "file-text" and "map-pin" (ISC).
const filePath = 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6M16 13H8M16 17H8M10 9H8';
const pinPath = 'M20 10c0 6-8 12-8 12s-8-6-8-12a8 8 0 0 1 16 0M9 10a3 3 0 1 0 6 0 3 3 0 1 0-6 0';

export function File({ payload: { fileUrl, title } }: { payload: FilePayload }) {
  const address = followable(fileUrl);
  const names = [title, address ? nameOf(address) : fileUrl, strings.file];
  return (
    <Link href={fileUrl} class="thing" part="file">
      <Icon path={filePath} />
      <bdi>{names.map(forwards).find(Boolean)}</bdi>
    </Link>
  );
}

/** Removes characters that reverse the text direction: `photo\u202egnp.exe` would look like a picture. */
const forwards = (name: unknown) =>
  typeof name === 'string' ? name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trim() : '';

export function Location({ payload }: { payload: LocationPayload }) {
  const { title, address } = payload;
  const [latitude, longitude] = [Number(payload.latitude), Number(payload.longitude)];
  const isKnown = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  // A link and not an embedded map, which would reveal the visitor to the map's server without a click.
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <Link href={isKnown && map} class="thing" part="location">
      <Icon path={pinPath} />
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
