// What the handlers of the Tables API need beside the request. compose.ts provides it.
import { createHandle } from '../../operations/handler.ts';
import type { TableService } from '../service.ts';

export interface TablesServices {
  tables: TableService;
  now(): number;
}

/** Joins an operation of the Tables API with its handler. */
export const { handle } = createHandle<TablesServices>();
