// The options for rendering all Markdown. Components that render Markdown subscribe to them.
import { type ReadonlySignal, signal } from '@preact/signals';
import { toJson } from '../../../client/core/json.ts';
import type { ResolvedConfiguration } from '../../../protocol/page-api/config.ts';
import type { MarkdownStrings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import type { MarkdownOptions } from '../../markdown/types.ts';
import type { markdown } from '../bundles.ts';
import { strings } from '../strings.ts';

type MarkdownModule = NonNullable<(typeof markdown)['module']>;
/** The bundle and its options. */
export interface MarkdownRenderer {
  module: MarkdownModule;
  options: MarkdownOptions;
}

const current = signal<MarkdownRenderer | undefined>(undefined);
/** `undefined` until the Markdown bundle has loaded. A new object after an option has changed. */
export const markdownRenderer: ReadonlySignal<MarkdownRenderer | undefined> = current;

/** Called by main.tsx when the bundle has loaded, and after each change of the configuration or the language. */
export function setMarkdownOptions(
  module: MarkdownModule,
  configuration: ResolvedConfiguration,
  chatUrl: string,
): void {
  addStrings(module.strings);
  // `strings` contains the strings of all bundles.
  const options = module.createOptions(configuration, chatUrl, strings as typeof strings & MarkdownStrings);
  if (toJson(options) !== toJson(current.peek()?.options)) current.value = { module, options };
}
