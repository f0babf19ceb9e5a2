// Actions that bots of other platforms call by name, implemented with the Runtime API. An unknown action is refused with
// the names of the known ones.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import {
  type actionTypes,
  actions as declared,
  typingTimeoutMs,
} from '../../../protocol/operations/runtime/widget.ts';
import { schemas } from '../../../protocol/schemas/chat.ts';
import type { Visibility } from '../../../protocol/signal.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import type { Call } from '../../api/handler.ts';
import { assertSize, explain } from '../../api/validation.ts';
import { changeUser, createUser, lockOfUserId } from '../../chat/index.ts';
import { findUser, type UserRow } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { isDeeper } from '../../tables/index.ts';
import { authorOf, ownBot, ownConversation, ownUser } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';
import { participantRef, readConfiguration, sendSignal } from './widget.ts';

type ActionCall = Call<unknown, BotPrincipal, WriteTx, RuntimeServices>;
/** `resource`: the id of the resource in the output; its deletion redacts stored responses. */
interface ActionResult {
  output: Record<string, unknown>;
  resource?: string;
}
/** Runs an action. Throws InvalidPayload for another input than that of its schema. */
type Action = (call: ActionCall, input: unknown) => Promise<ActionResult>;

const action =
  <S extends v.GenericSchema>(
    schema: S,
    run: (call: ActionCall, input: v.InferOutput<S>) => Promise<ActionResult>,
  ): Action =>
  async (call, input) => {
    const read = v.safeParse(schema, input, { abortEarly: true });
    if (!read.success) {
      const [issue] = read.issues;
      throw new ApiError('InvalidPayload', `input.${v.getDotPath(issue)}: ${explain(issue)}`);
    }
    return run(call, read.output);
  };

const inConversation = { conversationId: schemas.id };
const { name, pictureUrl } = schemas.userFields.entries;
/** The maximum nesting depth of an object in a text field, the same as for a request body. */
const maxDepth = 100;
const actions: Record<(typeof actionTypes)[number], Action> = {
  'webchat:getUserData': action(v.object({ userId: schemas.id }), async ({ tx, caller }, { userId }) => {
    const user = await ownUser(tx, caller, userId);
    return { output: { userData: userData(user) }, resource: user.id };
  }),

  'webchat:getOrCreateUser': action(
    v.object({
      name,
      pictureUrl,
      email: v.exactOptional(v.string()),
      user: v.object({ id: schemas.foreignUserId, ...inConversation }),
    }),
    async ({ tx, caller, services }, { user: { id, conversationId }, email: _, ...fields }) => {
      await tx.lock(lockOfUserId(caller.botId, id));
      await ownConversation(tx, caller, conversationId);
      const found = await findUser(tx, caller.botId, id);
      if (found) await ownUser(tx, caller, found.id);
      const user = found
        ? await changeUser(tx, found, fields, services)
        : await createUser(tx, caller.botId, id, fields, services.now());
      return { output: { userId: user.id }, resource: user.id };
    },
  ),

  'webchat:showWebchat': visibilityAction('show'),
  'webchat:hideWebchat': visibilityAction('hide'),
  'webchat:toggleWebchat': visibilityAction('toggle'),

  'webchat:configWebchat': action(
    v.object({ ...inConversation, config: v.string() }),
    async ({ tx, caller, services }, { conversationId, config: text }) => {
      const conversation = await ownConversation(tx, caller, conversationId);
      const config = readConfiguration(readObject('config', text));
      const data = { conversationId: publicId(conversation), config };
      await sendSignal(tx, services, conversation, { type: 'webchat_config', data });
      return { output: {} };
    },
  ),

  'webchat:customEvent': action(
    v.object({ ...inConversation, event: v.string() }),
    async ({ tx, caller, services: { transcript } }, { conversationId, event: text }) => {
      const conversation = await ownConversation(tx, caller, conversationId);
      const payload = readObject('event', text);
      assertSize('event', payload);
      const author = await authorOf(tx, caller, conversation, undefined);
      const event = await transcript.addEvent(tx, conversation, author, payload);
      return { output: {}, resource: event.id };
    },
  ),

  'webchat:startTypingIndicator': typingAction(true),
  'webchat:stopTypingIndicator': typingAction(false),

  'chat:sendEvent': action(
    v.object({ ...inConversation, payload: schemas.data }),
    async ({ tx, caller, services: { transcript } }, { conversationId, payload }) => {
      const conversation = await ownConversation(tx, caller, conversationId);
      assertSize('payload', payload);
      const author = await authorOf(tx, caller, conversation, undefined);
      const event = await transcript.addEvent(tx, conversation, author, payload);
      return { output: {}, resource: event.id };
    },
  ),
};

export const actionHandlers = [
  handle(declared.callAction, async ({ input: { type, input }, ...call }) => {
    const { output, resource } = await actions[type]({ ...call, input: undefined }, input);
    return { body: { output, meta: { cached: false } }, ...(resource ? { resource } : {}) };
  }),
];

/** `messageId`, which existing bots send, has no effect: an indicator belongs to a conversation. */
function typingAction(typing: boolean): Action {
  const input = v.object({
    ...inConversation,
    messageId: v.exactOptional(schemas.id),
    timeout: v.exactOptional(v.pipe(v.number(), v.minValue(1))),
  });
  return action(input, async ({ tx, caller, services: { presence } }, { conversationId, timeout }) => {
    const conversation = await ownConversation(tx, caller, conversationId);
    const { userId } = await ownBot(tx, caller);
    const time = Math.min(timeout ?? typingTimeoutMs, typingTimeoutMs);
    presence.setTyping(participantRef(conversation, userId), typing, time, true);
    return { output: {} };
  });
}

function visibilityAction(visibility: Visibility): Action {
  return action(v.object(inConversation), async ({ tx, caller, services }, { conversationId }) => {
    const conversation = await ownConversation(tx, caller, conversationId);
    const data = { conversationId: publicId(conversation), visibility };
    await sendSignal(tx, services, conversation, { type: 'webchat_visibility', data });
    return { output: {} };
  });
}

/** Returns name, picture and the page's `data`, whose fields take precedence. Values that are not strings become JSON. */
function userData({ name, pictureUrl, profile }: UserRow): Record<string, string> {
  const fields = Object.entries({ name, pictureUrl }).filter(([, value]) => value !== null);
  const entries = [...fields, ...Object.entries(objectIn(profile ?? '') ?? {})];
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Parses a JSON object from a text. Throws InvalidPayload for other text and PayloadTooLarge for long text. */
function readObject(field: string, text: string): Record<string, unknown> {
  // Twice the limit of the payload, because whitespace is parsed but not counted.
  if (text.length > 2 * limits.payloadBytes) {
    throw new ApiError('PayloadTooLarge', `input.${field}: The text is too long.`);
  }
  const value = objectIn(text);
  if (!value || isDeeper(value, maxDepth)) {
    throw new ApiError('InvalidPayload', `input.${field}: Expected a JSON object as text.`);
  }
  return value;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Keys such as __proto__ are ordinary keys.
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
