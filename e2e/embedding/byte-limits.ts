// The limits of the bundles of the widget, which the tests and the benchmark compare with what is transferred.

/**
 * Bytes as transferred (brotli); `window` includes those of the launcher. The launcher's size varies by 30
 * bytes, because it is compressed with the values of a start (address, bot).
 */
export const byteLimits = { launcher: 8_430, window: 38_850, markdown: 35_200 };
