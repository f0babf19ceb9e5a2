// A picture: its place is kept before it has loaded, and it opens large.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ImagePayload } from '../../../protocol/message.ts';
import { interpolate } from '../../i18n/current.ts';
import { strings } from '../strings.ts';
import { loadable } from './addresses.ts';
import { Broken } from './Link.tsx';

/** A picture in the transcript. `width` and `height` are extra keys that our own uploads carry. */
export function Image({
  payload,
  about = '',
}: {
  payload: ImagePayload & { width?: unknown; height?: unknown };
  /** What it belongs to, where it has no title of its own. */
  about?: string;
}) {
  const { imageUrl, title, width, height } = payload;
  const [state, setState] = useState<'loading' | 'loaded' | 'broken' | 'large'>('loading');
  const address = loadable(imageUrl);
  const name = title || about || strings.image;
  if (!address || state === 'broken') return <Broken name={title || imageUrl} address={imageUrl} />;
  const ratio = Number(width) / Number(height);
  return (
    <figure class="photo" part="image" data-loading={state === 'loading'}>
      <button
        type="button"
        aria-label={interpolate(strings.enlarge, { name })}
        // By CSSOM, which no CSP refuses. Very long or very wide ones are cut to what fits a screen.
        style={{ aspectRatio: ratio > 0 ? `${Math.min(3, Math.max(0.6, ratio))}` : '' }}
        onClick={() => {
          setState('large');
        }}
      >
        <img
          src={address}
          alt={name}
          referrerpolicy="no-referrer"
          decoding="async"
          onLoad={() => {
            if (state === 'loading') setState('loaded');
          }}
          onError={() => {
            setState('broken');
          }}
        />
      </button>
      {title && <figcaption dir="auto">{title}</figcaption>}
      {state === 'large' && (
        <Large
          address={address}
          name={name}
          onClose={() => {
            setState('loaded');
          }}
        />
      )}
    </figure>
  );
}

/** The picture over the whole page. A modal dialog: the browser keeps the focus inside and gives it back. */
function Large({ address, name, onClose }: { address: string; name: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // The window may have closed in the same moment: a modal dialog that is not seen would hold the whole page.
    if (dialog.current?.closest('[hidden]')) onClose();
    else dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="large"
      part="lightbox"
      aria-label={name}
      onClose={onClose}
      onClick={() => dialog.current?.close()}
      onKeyDown={(event) => {
        // Escape closes the picture, not the window behind it.
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <img src={address} alt={name} referrerpolicy="no-referrer" />
      <button type="button" class="button" aria-label={strings.closePicture}>
        ✕
      </button>
    </dialog>
  );
}
