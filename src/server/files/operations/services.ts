// The services that the handlers of the Files API use in addition to the request. composition/server.ts provides them.
import { createHandle } from '../../api/handler.ts';
import type { PlatformFiles } from '../platform-files.ts';

export interface FilesServices {
  platformFiles: PlatformFiles;
  now(): number;
}

/** Functions that join an operation of the Files API with its handler. */
export const { handle, handleDecorated } = createHandle<FilesServices>();
