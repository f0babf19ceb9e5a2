// Fetches long values of parts, which lists and signals leave out, when a visitor opens the part.
import { getMessage } from '../../../client/operations/chat.ts';
import type { Part } from '../../../protocol/parts.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';

/** Reads the whole part of an id. */
export interface OmittedValues {
  /**
   * Returns the part, undefined while it is loading; after a failure `retry` loads it again. Each version of the message
   * (`row.parts`) is fetched once.
   */
  read(
    context: SessionContext,
    row: Row,
    id: string,
  ): { part?: Part | undefined; retry?: (() => void) | undefined };
}

/** @param onChange something was loaded, or could not be. */
export function createOmittedValues(onChange: () => void): OmittedValues {
  let of: Row['parts'];
  let parts: readonly Part[] | undefined;
  let state: 'idle' | 'loading' | 'failed' = 'idle';

  const load = ({ client, getSignal }: SessionContext, { id, parts: version }: Row) => {
    // An answer that is being written is not stored.
    if (!id) return;
    of = version;
    state = 'loading';
    const settle = (loaded: typeof state, loadedParts = parts) => {
      if (of !== version) return;
      state = loaded;
      parts = loadedParts;
      onChange();
    };
    client
      .with({ getMessage })
      .getMessage({ id }, { signal: getSignal() })
      .then(
        ({ message }) => settle('idle', message.parts),
        () => settle('failed'),
      );
  };
  return {
    read(context, row, id) {
      if (of !== row.parts) load(context, row);
      const retry = () => {
        load(context, row);
        onChange();
      };
      // The values of an earlier version, until those of this one are here.
      return { part: parts?.find((part) => part.id === id), retry: state === 'failed' ? retry : undefined };
    },
  };
}
