// One message: its bubble, the options of a question, and below the last one of a group its time and status. It
// subscribes to its own row, so that streamed text renders only this message.
import { preview } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import { extras, pageUser, parts, people } from '../bundles.ts';
import { isBotSilent, optionsOf } from '../payloads/answers.ts';
import { toDrawable } from '../payloads/drawable.ts';
import { Options } from '../payloads/Options.tsx';
import { PayloadView } from '../payloads/PayloadView.tsx';
import type { Row } from '../store/store.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Avatar } from './Avatar.tsx';
import { isNamePending } from './answerer.ts';
import { moveFocus } from './focus.ts';
import { icons } from './icons.ts';
import { dayOf, timeOf } from './times.ts';

// Lucide "circle-alert" and "clock" (ISC).
const alert = 'M12 8v4M12 16h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';
const clock = 'M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';

interface Props extends ViewProps {
  rowKey: string;
  /** The time of the first message of a day; undefined for all others. */
  day: string | undefined;
  isFirst: boolean;
  isLast: boolean;
  hasTime: boolean;
  /** Whether anybody but the bot has answered: then all have a name. */
  hasPeople: boolean;
  /** No message follows it. */
  isNewest: boolean;
  /** The chosen value of an answered question; null: it can no longer be answered. */
  chosen: string | null | undefined;
}

/** Renders again only when its row, its properties or the configuration change. */
export function Message(props: Props) {
  const { store, session, widget, rowKey, day, isFirst, isLast, hasTime, hasPeople, isNewest } = props;
  const row = store.row(rowKey);
  // The row was just removed; the transcript will remove the component.
  if (!row) return null;
  const { botName, botAvatar } = store.state.configuration;
  const person = store.personOf(row);
  const [name = botName, pictureUrl] = person
    ? [person.name, person.pictureUrl]
    : isNamePending(row, store)
      ? ['', undefined]
      : [botName, botAvatar];
  const { payload } = row;
  const isBot = row.side === 'bot';
  const author = isBot ? name : strings.you;
  if (person) people.request();
  const { ActivityRow, Speaker, speakerName } = people.module ?? {};
  const separator = day && (
    <p class="day" part="day">
      {dayOf(new Date(day))}
    </p>
  );
  if (row.side === 'activity') {
    return (
      <li class="row" data-key={row.key} data-side={row.side}>
        {separator}
        {ActivityRow && <ActivityRow row={row} />}
      </li>
    );
  }
  const drawActions = extras.module?.drawActions;
  const onAnswer = (label: string, value: string, question?: string) => {
    // A failed message stays in the transcript with its text.
    session.send({ type: 'text', text: label, value }, question).catch(() => {});
  };
  const isAnswer = isBot && row.parts;
  if (isAnswer) parts.request();
  // They contain the button that tries again.
  if (row.error) extras.request();
  const [answer, suggestions] = (isAnswer && parts.module?.drawAnswer(props, row, PayloadView)) || [];
  return (
    <li
      class="row"
      data-key={row.key}
      data-side={row.side}
      data-first={isFirst}
      data-last={isLast}
      data-newest={isNewest}
      data-status={row.status}
      part="message"
    >
      {separator}
      {isBot && isFirst && hasPeople && Speaker && name && <Speaker name={name} />}
      <div class="line">
        {isBot && isLast && Avatar({ url: pictureUrl, name, isPerson: !!person })}
        {(answer || !row.parts || preview(payload)) && (
          <div class="bubble" part={`bubble ${row.side}`} data-type={payload.type}>
            {author && (
              <span class="visually-hidden">{(isBot && person && speakerName?.(name)) || author}: </span>
            )}
            {row.error === 'bot_failed' ? (
              <p class="text">{strings.noAnswer}</p>
            ) : (
              (pageUser.module?.renderMessage(widget, row) ??
              answer ?? (
                <PayloadView
                  payload={payload}
                  isStreaming={row.status === 'streaming'}
                  onAnswer={(label, value, action) => {
                    if (action !== 'handoff') return onAnswer(label, value);
                    people.load(({ sendHandlingRequest }) =>
                      sendHandlingRequest(session.context, 'request', { reason: value, messageId: row.id }),
                    );
                  }}
                />
              ))
            )}
          </div>
        )}
      </div>
      {isBot &&
        drawOptions({
          ...props,
          row,
          onAnswer(label, value) {
            // The buttons are removed now.
            moveFocus(widget.frame);
            onAnswer(label, value, row.id);
          },
        })}
      {suggestions}
      {row.status === 'failed' || row.status === 'queued' ? (
        <Unsent session={session} row={row} />
      ) : (
        <div class="foot">
          {(hasTime || row.status !== 'sent') && drawMeta(row)}
          {row.id && drawActions?.({ ...props, row })}
        </div>
      )}
    </li>
  );
}

interface OptionsProps {
  row: Row;
  chosen: string | null | undefined;
  onAnswer(label: string, value: string): void;
}

/**
 * The options of a question, below its bubble, as long as they can be chosen; afterwards the chosen one. No component, like all that
 * each message has: one takes as much memory as a message.
 */
function drawOptions({ row, store, widget, chosen, onAnswer }: OptionsProps & ViewProps) {
  const { payload } = row;
  const options = optionsOf(payload);
  if (options.length === 0) return null;
  if (isBotSilent(store.state.handling) && !store.personOf(row)) chosen ??= null;
  if (chosen === null) return null;
  const label = toDrawable(preview({ ...payload, options: [] }));
  return (
    <Options
      type={payload.type}
      frame={widget.frame}
      rowKey={row.key}
      label={label}
      options={options}
      chosen={chosen}
      onAnswer={onAnswer}
    />
  );
}

function drawMeta(row: Row) {
  const isSent = row.status === 'sent';
  return (
    <p class="meta" part="meta">
      <time dateTime={row.createdAt}>{timeOf(row.createdAt)}</time>
      {row.status === 'aborted' && <span>{strings.stopped}</span>}
      {row.side === 'visitor' && (
        <span class="status">
          {Icon({ path: isSent ? icons.check : icons.clock })}
          <span class="visually-hidden">{isSent ? strings.sent : strings.sending}</span>
        </span>
      )}
    </p>
  );
}

/** Below a message that the server does not have: the reason, and the actions for it. */
function Unsent({ session, row }: Pick<ViewProps, 'session'> & { row: Row }) {
  const isFailed = row.status === 'failed';
  const about = preview(row.payload).slice(0, 40);
  const button = (label: string, act: (key: string) => void) => (
    <button
      type="button"
      aria-label={`${label}: ${about}`}
      onClick={({ currentTarget }) => {
        // The button is removed; the focus must not move to the page.
        currentTarget.closest<HTMLElement>('.viewport')?.focus();
        act(row.key);
      }}
    >
      {label}
    </button>
  );
  return (
    <p class="meta unsent" part="meta">
      <span role={isFailed ? 'alert' : undefined}>
        <Icon path={isFailed ? alert : clock} />
        {isFailed ? strings.failed : strings.queued}
      </span>
      {button(strings.retry, session.retry)}
      {button(strings.discard, session.discard)}
    </p>
  );
}
