// The files above the text box: name, upload progress, and a button to remove each one.
import { useEffect, useRef } from 'preact/hooks';
import type { Attachment } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { interpolate } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';
import { formatFileSize } from './file-size.ts';
import { scaledImage } from './scale-image.ts';
import { removeAttachment, retryAttachment, setDimensions } from './uploads.ts';

export function AttachmentList({ store, session }: ViewProps) {
  const list = useRef<HTMLUListElement>(null);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
    <ul ref={list} class="tray" part="attachments" role="list" aria-label={strings.files}>
      {store.state.attachments.map((attachment) => {
        const { key, name, content, status, sent, problem, canRetry } = attachment;
        return (
          <li key={key} class="attachment" data-status={status}>
            <Thumbnail attachment={attachment} />
            <span class="attachment-words">
              <bdi>{name}</bdi>
              {status === 'uploading' ? (
                <progress
                  value={sent}
                  max={content.size}
                  aria-label={interpolate(strings.uploading, { name })}
                />
              ) : status === 'failed' ? (
                <small role="alert">
                  <span class="visually-hidden">{name}: </span>
                  {problem?.()}
                </small>
              ) : (
                <small>{formatFileSize(content.size)}</small>
              )}
            </span>
            {canRetry && (
              <button
                type="button"
                class="act"
                aria-label={interpolate(strings.retryFile, { name })}
                title={interpolate(strings.retryFile, { name })}
                onClick={({ currentTarget: { nextElementSibling: remove } }) => {
                  // This button is removed; the focus moves to the one beside it, because a text box opens the keyboard of a phone.
                  (remove as HTMLElement).focus();
                  retryAttachment(session.context, attachment);
                }}
              >
                <Icon path={icons.retry} />
              </button>
            )}
            <button
              type="button"
              class="act"
              aria-label={interpolate(strings.remove, { name })}
              title={interpolate(strings.remove, { name })}
              onClick={() => {
                // The button is removed; the focus moves to the next file or to the text box.
                const form = list.current?.closest('form');
                removeAttachment(session.context, key);
                form?.querySelector('textarea')?.focus();
              }}
            >
              <Icon path={icons.close} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Bytes up to which a picture is decoded for its thumbnail: a larger one would use too much memory on a phone. */
const maxThumbnailBytes = 20_000_000;
/** Canvas pixels, for screens with two device pixels per CSS pixel. */
const side = 80;

/** Draws a small picture on a canvas: an `img` of a local file would need `blob:` in the page's policy. */
function Thumbnail({ attachment: { content } }: { attachment: Attachment }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPicture = /^image\/(?!svg)/.test(content.type) && content.size < maxThumbnailBytes;
  useEffect(() => {
    if (!isPicture) return;
    const draw = async () => {
      const image = await scaledImage(content);
      const bitmap = await createImageBitmap(image);
      const { width, height } = bitmap;
      setDimensions(image, width, height);
      const least = Math.min(width, height);
      canvas.current
        ?.getContext('2d')
        ?.drawImage(bitmap, (width - least) / 2, (height - least) / 2, least, least, 0, 0, side, side);
      bitmap.close();
    };
    // Without a picture its thumbnail stays empty.
    draw().catch(() => {});
  }, [content]);
  return isPicture ? (
    // Decorative: the name is next to it.
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus
    <canvas ref={canvas} class="thumbnail" width={side} height={side} aria-hidden="true" />
  ) : (
    <span class="thumbnail">
      <Icon path={icons.file} />
    </span>
  );
}
