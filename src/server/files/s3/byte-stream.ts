// Streams of bytes without read-ahead, so that a slow reader needs memory for one piece only.
export type ByteStream = ReadableStream<Uint8Array>;

/** A stream of what `next` returns, until it returns undefined. `cancel` is called when the reader stops early. */
export function streamOf(
  next: () => Promise<Uint8Array | undefined>,
  cancel: (reason: unknown) => unknown,
): ByteStream {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await next();
        if (bytes) controller.enqueue(bytes);
        else controller.close();
      },
      cancel: async (reason) => void (await cancel(reason)),
    },
    { highWaterMark: 0 },
  );
}

/** Skips the first bytes of a stream, and ends after `length` further ones. */
export function rangeOf(source: ByteStream, skipped: number, length: number): ByteStream {
  const reader = source.getReader();
  let skip = skipped;
  let missing = length;
  return streamOf(
    async () => {
      while (missing > 0) {
        const { done, value } = await reader.read();
        if (done) break;
        const bytes = value.subarray(skip, skip + missing);
        skip = Math.max(0, skip - value.length);
        if (bytes.length === 0) continue;
        missing -= bytes.length;
        return bytes;
      }
      await reader.cancel();
      return undefined;
    },
    (reason) => reader.cancel(reason),
  );
}
