// Draws images in the page of a test, to be uploaded.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';

/** An image with a red left and a blue right half, and noise between the corners. */
export async function drawImage(page: Page, type: string, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    async ({ type, width, height }) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.fillStyle = '#f00';
      context.fillRect(0, 0, width / 2, height);
      context.fillStyle = '#00f';
      context.fillRect(width / 2, 0, width / 2, height);
      // Hardly compressible, so that fewer pixels need fewer bytes in every format.
      const noise = context.createImageData(width, height >> 2);
      let seed = 1;
      for (let i = 0; i < noise.data.length; i++) {
        seed = (seed * 16_807) % 2_147_483_647;
        noise.data[i] = i % 4 === 3 ? 255 : seed % 256;
      }
      context.putImageData(noise, 0, height >> 1);
      const blob = await canvas.convertToBlob({ type, quality: 0.95 });
      return new Promise<string>((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.readAsDataURL(blob);
      });
    },
    { type, width, height },
  );
  // Text: a list of a million numbers would take seconds.
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
