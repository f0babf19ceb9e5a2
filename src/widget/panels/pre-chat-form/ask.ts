// Asks the visitor before a conversation is created, and sends the answers with it. Until then nothing is created on the server.
import { type ApiError, isRetryable } from '../../../client/core/errors.ts';
import { platformError } from '../../../protocol/error.ts';
import type { PreChatAnswers } from '../../../protocol/types/visitors.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { retryWithBackoff } from '../../chat/session/retry.ts';
import type { StoredPreChatForm, Widget } from '../../launcher-chat-interface.ts';
import { answersOf, type Problems } from './check-answers.ts';
import { hideQuestions, setSubmitted, showQuestions } from './questions.ts';
import { type Field, nameOfSiteField, readForm } from './read-form.ts';

/** The answers that are being sent, and a part of the key of their requests: the same answers create one conversation. */
interface Submitted {
  fields: readonly Field[];
  answers: PreChatAnswers;
  key: string;
}

/** Clients whose requests wait for the form. */
const installed = new WeakSet<Widget>();
/** The problems of the configuration that were reported. */
const reported = new WeakMap<Widget, Set<string>>();

/** Values that other code of the page may have changed. */
export function storedForm({ storage }: Pick<Widget, 'storage'>): StoredPreChatForm {
  const { preChatForm } = storage.read();
  return typeof preChatForm === 'object' && preChatForm !== null ? preChatForm : {};
}

/**
 * The fields whose answers are not known. A topic, and the fields of the site, belong to each conversation; a visitor whom the page
 * has identified is known.
 */
export function unknownFields({ widget, store, identity }: SessionInternals): Field[] {
  const { isNamed, userId } = widget.storage.read();
  const { known } = storedForm(widget);
  const userValues = userId !== undefined && known?.userId === userId ? known : undefined;
  const { fields, problems } = readForm(store.state.configuration.preChatForm);
  reportOnce(widget, problems);
  return fields.filter(({ kind, label }) => {
    if (kind === 'topic' || kind === 'field') return true;
    if (isNamed) return false;
    if (kind === 'consent') return userValues?.consent !== label;
    if (kind === 'name' && (identity.fields.name || widget.user.name)) return false;
    return !userValues?.[kind];
  });
}

function reportOnce(widget: Widget, problems: readonly string[]): void {
  const reportedMessages = reported.get(widget) ?? new Set();
  reported.set(widget, reportedMessages);
  for (const message of problems) {
    if (reportedMessages.has(message)) continue;
    reportedMessages.add(message);
    console.warn(`[platform] ${message}`);
    widget.emit('error', platformError('invalid_configuration', message));
  }
}

/** Puts the form before the requests that create a conversation. Can be called repeatedly. */
export function installPreChatForm(internals: SessionInternals): void {
  const { widget, client, store, getSignal } = internals;
  if (installed.has(widget)) return;
  if (!store.has('preChatForm')) {
    reportOnce(widget, ["The server is too old for the form before a conversation ('preChatForm')."]);
    return;
  }
  installed.add(widget);
  const { createUser, createConversation } = client;
  let submitted: Submitted | undefined;
  const forgetAnswers = () => {
    submitted = undefined;
    hideQuestions(widget);
  };

  /** Resolves when the visitor has answered; at once if nothing is to be asked. */
  const ask = (scope: AbortSignal, problems: Problems = {}): Promise<Submitted | undefined> => {
    const fields = unknownFields(internals);
    if (submitted || fields.length === 0) return Promise.resolve(submitted);
    scope.throwIfAborted();
    // As with the home screen: the page can send messages, which wait for the visitor.
    widget.onStarted();
    const { conversationId } = widget.storage.read();
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const end = (settle: () => void) => {
        done.abort();
        settle();
      };
      const leave = () => {
        hideQuestions(widget);
        end(() => reject(scope.reason));
      };
      scope.addEventListener('abort', leave, { signal: done.signal });
      addEventListener('storage', () => followOtherTab(conversationId), { signal: done.signal });
      showQuestions(widget, {
        fields,
        isBusy: false,
        problems,
        submit(typed) {
          submitted = { fields, answers: answersOf(fields, typed), key: newKey() };
          setSubmitted(widget);
          end(() => resolve(submitted));
        },
        cancel: conversationId
          ? () => {
              hideQuestions(widget);
              const message = 'The visitor went back to the conversation.';
              end(() => reject(platformError('discarded', message)));
            }
          : undefined,
      });
    });
  };

  /** Another tab of the visitor has begun a conversation: it is the one of this tab, too. */
  const followOtherTab = (before: string | undefined) => {
    const { conversationId } = widget.storage.read();
    if (!conversationId || conversationId === before) return;
    internals.endScope({ keepUnsent: true });
    // After the requests of the scope have ended.
    setTimeout(() => internals.start().catch(() => {}));
  };

  /** Sends a request with the answers until the server takes them. @param userIdOf reads the visitor from the result. */
  const sendWithAnswers = async <Result>(
    scope: AbortSignal,
    send: (extra: { preChatForm?: PreChatAnswers }, keySuffix: string) => Promise<Result>,
    userIdOf: (result: Result) => string | undefined,
  ): Promise<Result> => {
    // The session does not retry the creation of a further conversation.
    const isRestart = !!widget.storage.read().conversationId;
    for (let problems: Problems = {}; ; ) {
      const submission = await ask(scope, problems);
      if (!submission) return send({}, '');
      const attempt = () => send({ preChatForm: submission.answers }, ` ${submission.key}`);
      try {
        const result = await (isRestart ? retryWithBackoff(attempt, { signal: scope }) : attempt());
        remember(submission, userIdOf(result));
        return result;
      } catch (error) {
        // The session tries again, with the same answers.
        if (isRetryable(error) && !scope.aborted) throw error;
        if (!isRestart && isRepeated(error) && !scope.aborted) {
          // Unless the repetition is refused, too.
          internals.start().catch(() => scope.aborted || forgetAnswers());
          throw error;
        }
        forgetAnswers();
        const refused = refusedFields(error, submission.fields);
        if (!refused) throw error;
        problems = refused;
      }
    }
  };

  const remember = ({ fields, answers }: Submitted, userId: string | undefined) => {
    const { known } = storedForm(widget);
    const before = known?.userId === userId ? known : {};
    const now = { ...before, userId };
    for (const { kind } of fields) {
      if (kind === 'consent') now.consent = answers.consent;
      // Also if it was left out: nobody is asked twice.
      else if (kind === 'name' || kind === 'email') now[kind] = true;
    }
    forgetAnswers();
    widget.storage.write({ preChatForm: { known: now } });
  };

  client.createUser = async (input, options) => {
    const isFirst = internals.isRequested() && !widget.storage.read().conversationId;
    if (!isFirst) return createUser(input, options);
    const scope = getSignal();
    if (!('firstConversation' in input)) {
      // The answers are sent with the conversation.
      await ask(scope);
      return createUser(input, options);
    }
    return sendWithAnswers(
      scope,
      (extra, suffix) => createUser({ ...input, ...extra }, withKey(options, suffix)),
      ({ user }) => user.id,
    );
  };
  client.createConversation = async (input, options) =>
    sendWithAnswers(
      options?.signal ?? getSignal(),
      (extra, suffix) => createConversation({ ...input, ...extra }, withKey(options, suffix)),
      () => widget.storage.read().userId,
    );
}

/** Whether the session repeats a refused `createUser`: with a proof of work, or with another key (user/identity.ts). */
function isRepeated(error: unknown): boolean {
  const { type, code } = Object(error) as Partial<ApiError>;
  return type === 'ChallengeRequired' || code === 409;
}

type Options = Parameters<SessionInternals['client']['createConversation']>[1];

const withKey = (options: Options, suffix: string): Options =>
  options && suffix ? { ...options, idempotencyKey: `${options.idempotencyKey}${suffix}` } : options;

const newKey = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

/** The fields that the server has refused; undefined for another error. */
function refusedFields(error: unknown, fields: readonly Field[]): Problems | undefined {
  const { type, metadata } = Object(error);
  const issues: unknown = type === 'InvalidPayload' && metadata?.issues;
  const paths = Array.isArray(issues) ? issues.map((issue) => issue?.path) : [];
  const named = fields.filter((field) =>
    field.kind === 'field'
      ? paths.includes(`preChatForm.fields.${nameOfSiteField(field)}`) || paths.includes('preChatForm.fields')
      : paths.includes(`preChatForm.${field.kind}`),
  );
  if (named.length === 0) return undefined;
  return Object.fromEntries(named.map(({ name, kind }) => [name, kind === 'email' ? 'email' : 'characters']));
}
