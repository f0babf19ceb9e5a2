// Apps of the bot (MCP Apps), each in a frame of the sandbox origin.
import { Component, type ComponentChild } from 'preact';
import type { AppData } from '../../../protocol/apps.ts';
import type { ViewProps } from '../../chat/view.ts';
import { AppView } from './AppView.tsx';

// Reads the data of a block that is an app. It is from the wire: of any shape. Pure.

/** Returns the app; undefined for data that has no document. */
function readApp(data: unknown): AppData | undefined {
  const { html, csp, title, toolInput, result } = Object(data) as Partial<Record<string, unknown>>;
  if (typeof html !== 'string' || !html.trim()) return undefined;
  const app: AppData = { html, csp: Object(csp), toolInput: Object(toolInput) };
  if (typeof title === 'string') app.title = title.slice(0, maxTitleLength);
  if (typeof result === 'object' && result) app.result = result as Record<string, unknown>;
  return app;
}

/** Characters. */
const maxTitleLength = 200;

interface Props extends ViewProps {
  /** The sandbox origin. */
  origin: string;
  /** The data of the block, of any shape. */
  data: unknown;
  /** The text in place of the app: the name of its frame, if it has no other. */
  name: string;
  /** The content in the place of an app. */
  children: ComponentChild;
}

/** Draws a block that is an app. Any other value is shown as the text of the bot. */
export class App extends Component<Props> {
  #json = '';
  #count = 0;

  override render({ data, ...props }: Props) {
    const app = readApp(data);
    if (!app) return props.children;
    // Another app begins again; another result is told to it.
    const json = JSON.stringify({ ...app, result: 0 });
    if (json !== this.#json) this.#count += 1;
    this.#json = json;
    return <AppView key={this.#count} {...props} data={app} />;
  }
}
