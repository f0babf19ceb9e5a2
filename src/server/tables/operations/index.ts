// The handlers of all operations of the Tables API.
import type { Handler } from '../../api/handler.ts';
import { jobHandlers } from './jobs.ts';
import { rowHandlers } from './rows.ts';
import type { TablesServices } from './services.ts';
import { tableHandlers } from './tables.ts';

export const tablesHandlers: readonly Handler<TablesServices>[] = [
  ...tableHandlers,
  ...jobHandlers,
  ...rowHandlers,
];
