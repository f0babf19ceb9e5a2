// Chromium and WebKitGTK through selenium-webdriver: the library starts the engine's driver program and uses W3C
// WebDriver.
import selenium, { type WebDriver, type WebElement } from 'selenium-webdriver';
import config from '../../playwright.config.ts';
import { findProgram } from '../../scripts/browser.mjs';
import type { Driver } from './driver.ts';
import { codesOf } from './key-codes.ts';
import { createProcesses } from './processes.ts';
import { DriverService, Executor, HttpClient } from './selenium.ts';

/** @throws when the browser or its driver is missing or does not start. */
export function launchChromium(): Promise<Driver> {
  return launch('chromedriver', {
    browserName: 'chrome',
    'goog:chromeOptions': {
      binary: findProgram('chromium'),
      // The same options as in the Playwright tests.
      args: ['--headless', ...(config.use?.launchOptions?.args ?? [])],
    },
  });
}

/** @throws when the driver or the display is missing or does not start. */
export async function launchWebkit(): Promise<Driver> {
  const processes = createProcesses();
  try {
    const xvfb = pathOf('xvfb');
    // WebKitGTK has no headless mode. Xvfb chooses a free display number and prints it.
    const args = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
    const display = await processes.startAndRead(xvfb, args, 'stdout', (line) => line.trim());
    return await launch('webkit', {}, { env: { DISPLAY: `:${display}` }, onClose: () => processes.end() });
  } catch (error) {
    await processes.end();
    throw error;
  }
}

function pathOf(program: string): string {
  const path = findProgram(program);
  if (!path) throw new Error(`${program} is not installed.`);
  return path;
}

async function launch(
  program: string,
  capabilities: object,
  { env = {}, onClose }: { env?: Record<string, string>; onClose?: () => Promise<void> } = {},
): Promise<Driver> {
  const service = new DriverService.Builder(pathOf(program))
    .setLoopback(true)
    .setEnvironment({ ...(process.env as Record<string, string>), ...env })
    .build();
  const end = async () => {
    await service.kill();
    await onClose?.();
  };
  try {
    const client = new HttpClient(await service.start());
    const driver = selenium.WebDriver.createSession(
      new Executor(client),
      new selenium.Capabilities(capabilities),
    );
    const { name, version } = await describe(driver);
    const result = createDriver(driver, `${name} ${version}`, end);
    await result.resize(1280, 800);
    return result;
  } catch (error) {
    await end();
    throw error;
  }
}

async function describe(driver: WebDriver): Promise<{ name: string; version: string }> {
  const capabilities = await driver.getCapabilities();
  const isChrome = capabilities.getBrowserName() === 'chrome';
  return {
    name: isChrome ? 'Chromium' : 'WebKitGTK',
    version: capabilities.getBrowserVersion() ?? '',
  };
}

function createDriver(driver: WebDriver, version: string, end: () => Promise<void>): Driver {
  const evaluate: Driver['evaluate'] = (run, ...args) =>
    driver.executeScript(`return (${run}).apply(null, arguments)`, ...args);
  /** One input device at a time. Without `async` the library adds pauses for the other device. */
  const actions = () => driver.actions({ async: true });
  return {
    version,
    goto: (url) => driver.get(url),
    evaluate,
    click: (x, y) =>
      actions()
        .move({ x: Math.round(x), y: Math.round(y), duration: 0, origin: selenium.Origin.VIEWPORT })
        .press()
        .release()
        .perform(),
    type: (text) => actions().sendKeys(text).perform(),
    async press(key) {
      const { modifier, code } = codesOf(key);
      if (!modifier) return actions().sendKeys(code).perform();
      await actions().keyDown(modifier).sendKeys(code).keyUp(modifier).perform();
    },
    async choose(find, paths) {
      const input = await driver.executeScript<WebElement>(`return (${find})()`);
      await input.sendKeys(paths.join('\n'));
    },
    async resize(width, height) {
      const window = driver.manage().window();
      // The page may be surrounded by a frame and a toolbar, whose sizes WebDriver does not report.
      const [innerWidth, innerHeight] = await evaluate(
        () => [globalThis.innerWidth, globalThis.innerHeight] as const,
      );
      const outer = await window.getRect();
      await window.setRect({
        x: 0,
        y: 0,
        width: width + outer.width - innerWidth,
        height: height + outer.height - innerHeight,
      });
    },
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    async close() {
      await driver.quit().catch(() => {});
      await end();
    },
  };
}
