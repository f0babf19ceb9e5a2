// What the handlers of the Files API need beside the request. compose.ts provides it.
import { createHandle } from '../../operations/handler.ts';
import type { PlatformFiles } from '../service.ts';

export interface FilesServices {
  platformFiles: PlatformFiles;
  now(): number;
}

/** Join an operation of the Files API with its handler. */
export const { handle, handleDecorated } = createHandle<FilesServices>();
