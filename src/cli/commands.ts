// The table of all commands. What each does stands in its own file.
import { listBots, snippet } from './bots.ts';
import type { Command } from './command.ts';
import { pushFiles } from './files.ts';
import { serve } from './serve.ts';

/** In the order of --help. */
export const commands: readonly Command[] = [serve, listBots, snippet, pushFiles];
