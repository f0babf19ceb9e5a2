// A picture: its space is reserved before it has loaded, and a click shows it large.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ImagePayload } from '../../../protocol/message.ts';
import { interpolate } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { loadable } from './addresses.ts';
import { Broken } from './Link.tsx';

/** A picture in the transcript. `width` and `height` are extra keys that our own uploads contain. */
export function Image({
  payload,
  about = '',
}: {
  payload: ImagePayload & { width?: unknown; height?: unknown };
  /** The text it belongs to, used if it has no title. */
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
        // By CSSOM, which no CSP blocks. Very tall or very wide pictures are cropped to fit a screen.
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

/** The picture over the whole page. A modal dialog: the browser traps and restores the focus. */
function Large({ address, name, onClose }: { address: string; name: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    // The window may have closed meanwhile: an invisible modal dialog would make the whole page inert.
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
        // Escape closes the picture, and not the window behind it.
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <img src={address} alt={name} referrerpolicy="no-referrer" />
      <button type="button" class="button" aria-label={strings.closePicture}>
        <Icon path={icons.close} />
      </button>
    </dialog>
  );
}
