// Images are scaled down before the upload: size, orientation and metadata of the sent files, and the files that are
// sent unchanged.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { drawImage } from '../support/images.ts';

test.use({
  env: scriptedBot,
  // Small images are drawn and compared sooner than large ones.
  attributes: 'data-allow-file-upload data-max-image-side="200"',
  csp: strictCsp('PLATFORM', { media: true }),
});

/** Adds EXIF metadata to a JPEG: how to turn it, and the name of a camera. */
function withExif(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from([
    ...[0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 2, 0],
    // Make, 4 bytes of text.
    ...[0x0f, 0x01, 2, 0, 4, 0, 0, 0, 0x43, 0x61, 0x6d, 0],
    // Orientation.
    ...[0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
    ...[0, 0, 0, 0],
  ]);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** The first chunk of an animation, behind the header of a PNG. It has one frame, which is the image. */
function animated(png: Buffer): Buffer {
  const chunk = Buffer.from('0000000861635 44c00000001000000000000 0000'.replaceAll(' ', ''), 'hex');
  // Browsers ignore an ancillary chunk with a wrong checksum.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

async function upload(chat: ChatPage, name: string, mimeType: string, buffer: Buffer) {
  await chat.attach([{ name, mimeType, buffer }]);
  await expect(chat.window.locator('.attachment')).toHaveAttribute('data-status', 'uploaded');
  await chat.window.getByRole('button', { name: 'Send message' }).click();
  await expect(chat.window.locator('.attachment')).toHaveCount(0);
  let payload: Record<string, unknown> | undefined;
  // The composer is empty before the server has the message.
  await expect
    .poll(async () => {
      const messages = await chat.serverMessages();
      payload = messages
        .map((message) => message.payload as unknown as Record<string, unknown>)
        .find(({ title }) => title === name);
      return payload;
    })
    .toBeDefined();
  const address = String(payload?.imageUrl ?? payload?.fileUrl);
  return { payload, bytes: Buffer.from(await (await fetch(address)).arrayBuffer()) };
}

/** The size of an image, and the colors of its corners: top left, top right, bottom left. */
const look = (page: Page, bytes: Buffer) =>
  page.evaluate(async (data) => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]),
    );
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(image, 0, 0);
    const colorAt = (x: number, y: number) => {
      const [red = 0, , blue = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
      return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : `${red} ${blue}`;
    };
    const { width, height } = image;
    return [width, height, colorAt(5, 5), colorAt(width - 5, 5), colorAt(5, height - 5)];
  }, bytes.toString('base64'));

for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
  test(`a large image of type ${type} is scaled down and sent in the same format`, {
    tag: type === 'image/jpeg' ? '@story' : [],
  }, async ({ chat, page }) => {
    await chat.startConversation();
    const original = await drawImage(page, type, 500, 200);
    const { payload, bytes } = await upload(chat, 'Holiday.x', type, original);
    expect(payload).toMatchObject({ type: 'image', title: 'Holiday.x', width: 200, height: 80 });
    expect(await look(page, bytes)).toEqual([200, 80, 'red', 'blue', 'red']);
    expect(bytes.length).toBeLessThan(original.length);
    const names = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e47', 'image/webp': '52494646' };
    expect(bytes.toString('hex')).toMatch(new RegExp(`^${names[type as keyof typeof names]}`));
  });
}

test('a photo keeps the orientation of its metadata, and loses the metadata', async ({ chat, page }) => {
  await chat.startConversation();
  const stored = await drawImage(page, 'image/jpeg', 400, 300);
  // The browser itself is the reference. 6, for example: the red half on the left comes to the top.
  for (let orientation = 1; orientation <= 9; orientation++) {
    const name = `photo-${orientation}.jpg`;
    const photo = withExif(stored, orientation);
    const [width, , ...corners] = await look(page, photo);
    const { bytes } = await upload(chat, name, 'image/jpeg', photo);
    const size = width === 400 ? [200, 150] : [150, 200];
    expect(await look(page, bytes), `orientation ${orientation}`).toEqual([...size, ...corners]);
    expect(bytes.includes('Exif')).toBe(false);
    expect(bytes.includes('Cam')).toBe(false);
  }
});

test('a small, animated, foreign or broken file is sent byte by byte as it is', async ({ chat, page }) => {
  await chat.startConversation();
  const png = await drawImage(page, 'image/png', 300, 40);
  const webp = Buffer.from(
    // An extended WebP that says it is animated.
    `RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\xff\x0f\0\xff\x0f\0`,
    'latin1',
  );
  const cases: [string, string, Buffer][] = [
    ['small.jpg', 'image/jpeg', await drawImage(page, 'image/jpeg', 200, 100)],
    ['animated.png', 'image/png', animated(png)],
    ['animated.webp', 'image/webp', webp],
    ['named.jpg', 'image/jpeg', png],
    ['broken.png', 'image/png', png.subarray(0, 60)],
    ['text.jpg', 'image/jpeg', Buffer.from('no picture')],
    ['empty-head.png', 'image/png', Buffer.from('\x89')],
    ['large.gif', 'image/gif', Buffer.concat([Buffer.from('GIF89a\xff\x0f\xff\x0f\0\0\0', 'latin1')])],
    ['drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9000"/>')],
  ];
  for (const [name, type, original] of cases) {
    const { bytes } = await upload(chat, name, type, original);
    expect(bytes.equals(original), name).toBe(true);
  }
});

test.describe('with another longest side', () => {
  test.use({ attributes: 'data-allow-file-upload' });

  test('the longest side is 2,560 pixels or that of the page; 0 changes nothing', async ({ chat, page }) => {
    await chat.startConversation();
    const setSide = (maxImageSide: number) =>
      page.evaluate((configuration) => (window.platform as Platform).config({ configuration }), {
        maxImageSide,
      });
    // Several strips.
    const original = await drawImage(page, 'image/jpeg', 2_800, 1_750);
    const { bytes, payload } = await upload(chat, 'a.jpg', 'image/jpeg', original);
    expect(payload).toMatchObject({ width: 2_560, height: 1_600 });
    expect(await look(page, bytes)).toEqual([2_560, 1_600, 'red', 'blue', 'red']);
    await setSide(0);
    expect((await upload(chat, 'b.jpg', 'image/jpeg', original)).bytes.equals(original)).toBe(true);
    await setSide(300);
    expect((await upload(chat, 'c.jpg', 'image/jpeg', original)).payload).toMatchObject({ width: 300 });
  });
});

test('an image is sent as it is if the browser falsifies canvases', async ({ chat, page }) => {
  await page.addInitScript(() => {
    const { prototype } = OffscreenCanvasRenderingContext2D;
    const { getImageData } = prototype;
    prototype.getImageData = function (...rectangle) {
      const image = getImageData.apply(this, rectangle);
      return new ImageData(
        image.data.map(() => 255),
        image.width,
        image.height,
      );
    };
  });
  await chat.startConversation();
  const original = await drawImage(page, 'image/png', 300, 100);
  const { bytes } = await upload(chat, 'a.png', 'image/png', original);
  expect(bytes.equals(original)).toBe(true);
});
