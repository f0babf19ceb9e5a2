// The type of a scenario, and functions that several scenarios use.
import type { Platform } from '../../../src/protocol/page-api/page-api.ts';
import type { FaultProxy } from '../../support/faults/fault-proxy.ts';
import type { Driver } from '../driver.ts';
import type { PageOptions } from '../page.ts';
import type { Visitor } from '../visitor.ts';

interface ScenarioContext {
  visitor: Visitor;
  driver: Driver;
  /** The proxy between the browser and the server. */
  proxy: FaultProxy;
  /** Serves a third-party page with the chat; returns its address. */
  page(options?: PageOptions, path?: string): string;
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
