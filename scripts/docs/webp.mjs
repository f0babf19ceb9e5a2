// WebP instead of PNG for the pictures of the documentation: about a third of the bytes. The browser of the tests encodes them.

/** Text keeps sharp edges at this quality. */
const quality = 0.82;

/**
 * @param page a page of Playwright
 * @param png the bytes of a picture
 */
export async function webpOf(page, png) {
  const address = await page.evaluate(
    async ([bytes, wanted]) => {
      const picture = await createImageBitmap(await (await fetch(bytes)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d').drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: wanted });
      const reader = new FileReader();
      return new Promise((done) => {
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(blob);
      });
    },
    [`data:image/png;base64,${png.toString('base64')}`, quality],
  );
  return Buffer.from(address.split(',')[1], 'base64');
}

/** Width and height of a WebP file as a browser writes it (VP8, VP8L or VP8X), so that a page does not move when it arrives. */
export function sizeOfWebp(bytes) {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  throw new Error(`A picture is not WebP: ${kind}`);
}
