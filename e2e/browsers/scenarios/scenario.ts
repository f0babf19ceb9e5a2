// The type of a scenario, and functions that several scenarios use.
import type { Platform } from '../../../src/protocol/page-api/page-api.ts';
import type { FaultProxy } from '../../support/faults/fault-proxy.ts';
import type { PlatformServer } from '../../support/server.ts';
import type { Driver } from '../driver.ts';
import type { PageOptions } from '../page.ts';
import type { Visitor } from '../visitor.ts';

/** A server of one scenario alone, which can restart it. */
export interface OwnServer {
  platform: PlatformServer;
  /** Serves a third-party page with the chat of this server; returns its address. */
  page(options?: PageOptions, path?: string): string;
  /** The visitor of this server, in the browser of the scenario. */
  visitor: Visitor;
}

interface ScenarioContext {
  visitor: Visitor;
  driver: Driver;
  /** The server of all scenarios. */
  platform: PlatformServer;
  /** The proxy between the browser and the server. */
  proxy: FaultProxy;
  /** Serves a third-party page with the chat; returns its address. */
  page(options?: PageOptions, path?: string): string;
  /** Starts a server with these settings, without a proxy. It ends with the scenario. */
  serve(env: Record<string, string>): Promise<OwnServer>;
  /** Starts another browser of the same engine, with a profile of its own. It ends with the scenario. */
  openBrowser(): Promise<Driver>;
  /** Calls `end` after the scenario, and after the end of everything that was started later. */
  onEnd(end: () => Promise<unknown>): void;
}

export interface Scenario {
  /** A complete statement that is true in every browser. */
  name: string;
  /** The engine whose driver cannot run it. */
  skippedIn?: string | undefined;
  run(context: ScenarioContext): Promise<void>;
}

export const botRow = '.row[data-side="bot"][data-status]';
export const ownRow = '.row[data-side="visitor"][data-status]';

/** Calls a method of `window.platform`, as a script of the page does. */
export const callPlatform = (driver: Driver, method: 'open' | 'close' | 'destroy' | 'init') =>
  driver.evaluate((name) => (window.platform as Platform)[name as 'open'](), method);

/** The types of the events that the page has received, in order. */
export const eventTypes = (driver: Driver) =>
  driver.evaluate(() => window.seen.events.map(({ type }) => type));
