// The bot's face: its picture, or the first letter of its name.
import { useState } from 'preact/hooks';

export function Avatar({ url, name }: { url: string | undefined; name: string }) {
  const [broken, setBroken] = useState<string>();
  return (
    <span class="avatar" part="avatar" aria-hidden="true">
      {url && url !== broken ? (
        <img src={url} alt="" onError={() => setBroken(url)} />
      ) : (
        // By code point: the first letter of a name may be outside the basic plane.
        [...name.trim()][0]?.toUpperCase()
      )}
    </span>
  );
}
