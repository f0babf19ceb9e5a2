// The configuration as it is now: the page's overlay over the dashboard's values over the defaults.
import {
  type Configuration,
  type ConfigurationProblem,
  type ResolvedConfiguration,
  readLayer,
  resolveConfiguration,
} from '../../protocol/config.ts';

export interface Config {
  readonly current: ResolvedConfiguration;
  /** Replaces the dashboard's values. */
  dashboard(fields: unknown): void;
  /** Merges the page's fields: given ones count from now on, blank or wrong ones fall back to the dashboard's. */
  overlay(fields: unknown): void;
}

/** @param onProblem told once for every wrong field and value. */
export function createConfig(onProblem: (problem: ConfigurationProblem) => void): Config {
  const told = new Set<string>();
  const tellOnce = (problem: ConfigurationProblem) => {
    if (!told.has(problem.message)) onProblem(problem);
    told.add(problem.message);
  };
  let base: Configuration = {};
  let page: Configuration = {};
  return {
    get current() {
      return resolveConfiguration(page, base);
    },
    dashboard(fields) {
      base = readLayer(fields, tellOnce);
    },
    overlay(fields) {
      if (typeof fields !== 'object' || fields === null) return;
      const next = new Map(Object.entries(page));
      for (const name of Object.keys(fields)) next.delete(name);
      page = { ...Object.fromEntries(next), ...readLayer(fields, tellOnce) };
    },
  };
}
