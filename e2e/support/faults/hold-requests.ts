// Holds requests of a page until a test releases them, so that it sees what the page shows meanwhile.
import type { Page, Route } from '@playwright/test';

/** Holds all requests to `url` until the returned function is called. Then, and for later ones, `respond` is called. */
export async function holdRequests(
  page: Pick<Page, 'route'>,
  url: Parameters<Page['route']>[0],
  respond = (route: Route): Promise<void> => route.continue(),
): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await respond(route);
  });
  return release;
}
