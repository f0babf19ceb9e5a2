// The visitor's user on the server: resumed from the browser's record, or created. The page's own user fields and keys are
// handled in page-user.ts.
import type { ChatClientBase } from '../../../../client/chat/caller.ts';
import { isRetryable } from '../../../../client/core/errors.ts';
import type { Widget } from '../../../launcher-chat-interface.ts';
import { proofOfWork } from '../../bundles.ts';
import type { Identity } from '../context.ts';
import { newId } from '../ids.ts';

/** @param prepare applies the user fields and key of the page before a user is created or resumed. */
export function createIdentity(
  widget: Widget,
  client: ChatClientBase,
  prepare: () => Promise<void>,
): Identity {
  const { storage, signal, webchat } = widget;
  let userId: string | undefined;
  let creationKey = newId();
  let ensuring: Promise<string | undefined> | undefined;
  const firstConversation = webchat?.features?.includes('firstConversation') && { firstConversation: true };

  const syncFromStorage = () => {
    ({ userKey: client.userKey, userId } = storage.read());
    return !!client.userKey && !!userId;
  };

  const resume = async (needsConversation: boolean): Promise<string | undefined> => {
    await prepare();
    if (syncFromStorage()) return undefined;
    let ownKey = creationKey;
    const { fields } = identity;
    identity.fields = {};
    const input = { ...fields, ...(needsConversation && firstConversation) };
    const create = () => {
      const options = { signal, idempotencyKey: ownKey };
      return client.createUser(input, options).catch(async (error) => {
        if (error.type !== 'ChallengeRequired') throw error;
        const isRequested = () => ownKey === creationKey;
        return (await proofOfWork.get()).createUser(client, input, options, error, isRequested);
      });
    };
    const createAgainIfLost = (error: { code?: number }) => {
      if (error.code !== 409 || ownKey !== creationKey) throw error;
      // The first response was lost, and the server repeats a user key only for a short time.
      ownKey = creationKey = newId();
      return create();
    };
    const {
      user: created,
      key,
      conversation,
    } = await create()
      .catch(createAgainIfLost)
      .catch((error) => {
        // Fields that the server refuses are dropped: it would refuse them every time.
        if (isRetryable(error) && ownKey === creationKey) identity.fields = { ...fields, ...identity.fields };
        throw error;
      });
    signal.throwIfAborted();
    if (ownKey !== creationKey) throw new DOMException('The conversation was left.', 'AbortError');
    creationKey = newId();
    // Another tab may have created the user first: then that user is used.
    if (syncFromStorage()) return undefined;
    // In one write: another tab must not find the user without the conversation, and create a second one.
    const first = conversation && { conversationId: conversation.id, readAt: undefined };
    storage.write({ userKey: key, userId: created.id, ...first });
    syncFromStorage();
    return conversation?.id;
  };

  const identity: Identity = {
    get userId() {
      return userId;
    },
    fields: {},
    ensure(needsConversation = false) {
      ensuring ??= resume(needsConversation).finally(() => {
        ensuring = undefined;
      });
      return ensuring;
    },
    syncFromStorage,
    reset() {
      creationKey = newId();
      ensuring = undefined;
      identity.fields = {};
    },
    stashNamedUser() {
      const { named, ...stored } = storage.read();
      if (!stored.isNamed) return;
      const cleared = Object.fromEntries(Object.keys(stored).map((field) => [field, undefined]));
      storage.write({ ...cleared, named: stored });
    },
    forget() {
      const { isNamed, userKey } = storage.read();
      // Read now: a logout replaces the user of the page.
      if (isNamed || widget.user.userKey) return false;
      // Another tab may have replaced the user already.
      if (userKey === client.userKey) storage.write({ userKey: undefined, userId: undefined });
      syncFromStorage();
      return true;
    },
  };
  // With a callback the page is asked before anything is resumed.
  if (!widget.user.userKey && !widget.getUserKey) identity.stashNamedUser();
  return identity;
}
