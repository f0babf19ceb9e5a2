// Takes the place of launcher/load.ts in bundled.ts: the bundles of the widget are parts of the same module.

const bundles = {
  chat: () => import('../../widget/chat/main.tsx'),
  i18n: () => import('../../widget/i18n/main.ts'),
  'host-page': () => import('../../widget/page/host-page/main.ts'),
  diagnostics: () => import('../../widget/diagnostics/main.ts'),
  'unknown-names': () => import('../../widget/page/unknown-names/main.ts'),
};

/** Returns a bundle. It is evaluated when it is needed first. */
export function load<N extends keyof typeof bundles>(name: N): ReturnType<(typeof bundles)[N]> {
  return bundles[name]() as ReturnType<(typeof bundles)[N]>;
}

/** The bundles are here already. */
export const prefetch = (): undefined => {};
