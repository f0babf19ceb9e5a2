// The schemas whose types have a name, by module. `npm run generate` writes the types of each to a module of the same name
// in src/protocol/types; the typed client and the OpenAPI document use the names.
import { types as admin } from './admin.ts';
import { types as bots } from './bots.ts';
import { types as chat } from './chat.ts';
import { types as error } from './error.ts';
import { types as files } from './files.ts';
import { types as handling } from './handling.ts';
import { types as inbox } from './inbox.ts';
import { types as interrupts } from './interrupts.ts';
import { types as parts } from './parts.ts';
import { types as query } from './query.ts';
import { types as reports } from './reports.ts';
import { types as runtime } from './runtime.ts';
import { types as session } from './session.ts';
import { types as tables } from './tables.ts';
import { types as tags } from './tags.ts';
import { types as visitors } from './visitors.ts';

export const namedTypes = {
  admin,
  bots,
  chat,
  error,
  files,
  handling,
  inbox,
  interrupts,
  parts,
  query,
  reports,
  runtime,
  session,
  tables,
  tags,
  visitors,
};
