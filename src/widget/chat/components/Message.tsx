// One message: its bubble, the options of a question, and under the last of a group when it was sent and how far it
// has come.
import type { ResolvedConfiguration } from '../../../protocol/config.ts';
import { preview } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import { media, tools, visit } from '../bundles.ts';
import { Choice } from '../payloads/Choice.tsx';
import { PayloadView } from '../payloads/index.tsx';
import { optionsOf } from '../store/answers.ts';
import type { Row } from '../store/store.ts';
import { words } from '../strings.ts';
import { Avatar } from './Avatar.tsx';
import { passFocus } from './focus.ts';
import { icons } from './icons.ts';
import { memo } from './memo.ts';
import type { Placed } from './message-groups.ts';
import type { ViewProps } from './Panel.tsx';
import { dayOf, timeOf } from './times.ts';

type Props = ViewProps &
  Placed & {
    /** The value that was chosen, where this is a question that was answered. */
    chosen: string | undefined;
    settings: ResolvedConfiguration;
    /** Counts the chunks that have come. */
    chunkCount: number;
  };

/** Drawn again only when what it is made of has changed. */
export const Message = memo(
  DrawnMessage,
  (before: Props, after: Props) =>
    (['row', 'isFirst', 'isLast', 'chosen', 'settings', 'chunkCount'] as const).every(
      (name) => before[name] === after[name],
    ) && before.day?.getTime() === after.day?.getTime(),
);

function DrawnMessage(props: Props) {
  const { session, shell, settings, row, day, isFirst, isLast, chosen } = props;
  const { botName, botAvatar } = settings;
  const { payload } = row;
  const isBot = row.side === 'bot';
  const options = isBot ? optionsOf(payload) : [];
  // Buttons are what is left of a dropdown whose chunk cannot be loaded.
  const Question = payload.type !== 'dropdown' || media.module === null ? Choice : media.module?.Dropdown;
  const Actions = tools.module?.Actions;
  const Unsent = visit.module?.Unsent;
  const answer = (label: string, value: string, question?: string) => {
    // A failed message stays in the transcript with its text; nothing to do here.
    session.send({ type: 'text', text: label, value }, question).catch(() => {});
  };
  return (
    <li
      class="row"
      data-key={row.key}
      data-side={row.side}
      data-first={isFirst}
      data-last={isLast}
      data-status={row.status}
      part="message"
    >
      {day && (
        <p class="day" part="day">
          {dayOf(day)}
        </p>
      )}
      <div class="line">
        {isBot && isLast && <Avatar url={botAvatar} name={botName} />}
        <div class="bubble" part={`bubble ${row.side}`} data-type={payload.type}>
          <span class="heard">{isBot ? botName : words.you}: </span>
          {row.isFailureNotice ? (
            <p class="text">{words.noAnswer}</p>
          ) : (
            <PayloadView payload={payload} isStreaming={row.status === 'streaming'} onAnswer={answer} />
          )}
        </div>
      </div>
      {Question && options.length > 0 && (
        <Question
          label={preview({ ...payload, options: [] })}
          options={options}
          chosen={chosen}
          onAnswer={(label, value) => {
            // The buttons are locked from now on.
            passFocus(shell.frame);
            answer(label, value, row.id);
          }}
        />
      )}
      {Unsent && /failed|queued/.test(row.status) ? (
        <Unsent session={session} row={row} />
      ) : (
        <div class="foot">
          {(isLast || row.status !== 'sent') && <Meta row={row} />}
          {Actions && isBot && row.id && <Actions {...props} />}
        </div>
      )}
    </li>
  );
}

function Meta({ row }: { row: Row }) {
  const isSent = row.status === 'sent';
  return (
    <p class="meta" part="meta">
      <time dateTime={row.createdAt}>{timeOf(row.createdAt)}</time>
      {row.status === 'aborted' && <span>{words.stopped}</span>}
      {row.side === 'visitor' && (
        <span class="status">
          <Icon path={isSent ? icons.check : icons.clock} />
          <span class="heard">{isSent ? words.sent : words.sending}</span>
        </span>
      )}
    </p>
  );
}
