// Scales large images down before the upload, one after the other. What is animated, has another format, or cannot be
// decoded stays as it is. The page stays responsive: the browser decodes and encodes in the background, and the image is
// resized in strips.
import { isTurned, readOrientation, transformOf } from './jpeg-orientation.ts';

/** Pixels of one strip. One `drawImage` of 48 million pixels blocked the page for 350 ms, 16 strips of this size none over 50. */
const stripPixels = 3_000_000;
/** Bytes up to which an image is decoded: a larger one would use too much memory on a phone. */
const maxBytes = 60_000_000;
/** Of JPEG and WebP: the usual compromise, without visible loss in photos. */
const quality = 0.85;
/** Bytes from the beginning in which an animated PNG says that it is one, also behind a color profile. */
const headBytes = 65_536;

const results = new WeakMap<Blob, Promise<Blob>>();
let queue: Promise<unknown> = Promise.resolve();

/** Whether an image would be scaled down if its longest side is larger than `side` pixels. */
export const isScalable = ({ type, size }: Blob, side: number): boolean =>
  side >= 1 && size < maxBytes && /^image\/(jpeg|png|webp)$/.test(type) && 'OffscreenCanvas' in window;

/** Returns the image with a longest side of at most `side` pixels, or `image` itself. Never rejects. */
export function scaleDown(image: Blob, side: number): Promise<Blob> {
  if (!isScalable(image, side)) return Promise.resolve(image);
  let result = results.get(image);
  if (!result) {
    // Several at once would need the memory of several decoded photos.
    result = queue.then(() => scale(image, Math.floor(side))).catch(() => image);
    queue = result;
    results.set(image, result);
    // A second attempt to upload gets the scaled image.
    result.then((scaled) => results.set(scaled, Promise.resolve(scaled)));
  }
  return result;
}

/** The image as it will be uploaded, for its thumbnail. */
export const scaledImage = (image: Blob): Promise<Blob> => results.get(image) ?? Promise.resolve(image);

async function scale(image: Blob, side: number): Promise<Blob> {
  const { type } = image;
  const head = new Uint8Array(await image.slice(0, headBytes).arrayBuffer());
  if (!isStill(type, head) || isNoisy()) return image;
  // Decoded as it is stored, and turned when it is small: browsers are slow with strips of a turned image, or err.
  const { value, upright } = type === 'image/jpeg' ? readOrientation(head) : { value: 1, upright: head };
  const whole = await createImageBitmap(new Blob([upright, image.slice(headBytes)], { type }));
  try {
    const ratio = side / Math.max(whole.width, whole.height);
    if (ratio >= 1) return image;
    const width = Math.max(1, Math.round(whole.width * ratio));
    const height = Math.max(1, Math.round(whole.height * ratio));
    const canvas = isTurned(value) ? new OffscreenCanvas(height, width) : new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context?.setTransform(transformOf(value, width, height));
    const count = Math.min(height, Math.ceil((whole.width * whole.height) / stripPixels));
    const edge = (index: number, length: number) => Math.round((index * length) / count);
    for (let i = 0; i < count; i++) {
      const [top, bottom] = [edge(i, height), edge(i + 1, height)];
      const [from, to] = [edge(i, whole.height), edge(i + 1, whole.height)];
      const strip = await createImageBitmap(whole, 0, from, whole.width, to - from, {
        resizeWidth: width,
        resizeHeight: bottom - top,
        resizeQuality: 'high',
      });
      // With its size: not every browser resizes.
      context?.drawImage(strip, 0, top, width, bottom - top);
      strip.close();
      await new Promise((resolve) => setTimeout(resolve));
    }
    const scaled = await canvas.convertToBlob({ type, quality });
    // Safari has no encoder for WebP and makes a PNG. Few colors can become many, and more bytes.
    return scaled.type === type && scaled.size < image.size ? scaled : image;
  } finally {
    whole.close();
  }
}

/** Whether the bytes are an image of this type and have no animation. A name with a wrong extension proves nothing. */
function isStill(type: string, head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head);
  if (type === 'image/jpeg') return text.startsWith('ÿØÿ');
  if (type === 'image/png') return text.startsWith('‰PNG') && !/acTL|eXIf/.test(text);
  // Bits of the extended header: 2 for an animation, 8 for metadata, which may say how to turn the image.
  const isExtended = text.slice(12, 16) === 'VP8X';
  return text.slice(8, 12) === 'WEBP' && !(isExtended && (head[20] ?? 0) & 10);
}

/** Whether the browser falsifies what is read from a canvas, as a protection against tracking: Tor Browser, Firefox. */
function isNoisy(): boolean {
  const context = new OffscreenCanvas(8, 8).getContext('2d', { willReadFrequently: true });
  if (!context) return true;
  context.fillStyle = '#406080';
  context.fillRect(0, 0, 8, 8);
  const expected = [0x40, 0x60, 0x80, 0xff];
  // Some browsers change the last bits, which is not visible.
  return context
    .getImageData(0, 0, 8, 8)
    .data.some((value, i) => Math.abs(value - (expected[i % 4] ?? 0)) > 4);
}
