// The services that the handlers of the Tables API use in addition to the request. composition/server.ts provides them.
import { createHandle } from '../../api/handler.ts';
import type { TableService } from '../table-service-interface.ts';

export interface TablesServices {
  tables: TableService;
  now(): number;
}

/** Joins an operation of the Tables API with its handler. */
export const { handle, handleDecorated } = createHandle<TablesServices>();
