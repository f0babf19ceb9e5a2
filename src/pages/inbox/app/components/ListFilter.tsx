// Filter of a list: words that are searched, and the fields behind a button.
import { useEffect, useRef, useState } from 'preact/hooks';
import { inboxSorts } from '../../../../protocol/inbox.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { counted, t } from '../../../ui/texts.ts';
import type { Colleague } from '../api/inbox-api.ts';
import type { Inbox } from '../inbox.ts';
import {
  cleanFilter,
  countFields,
  defaultSort,
  type ListView,
  listNameOf,
  type ViewFilter,
} from '../state/lists.ts';

/** Milliseconds without a key after which the words are searched. */
const idleMs = 250;
/** Characters of the words, as the server accepts them. */
const longestSearch = 200;

export function ListFilter({ inbox, view: { list, filter } }: { inbox: Inbox; view: ListView }) {
  const [text, setText] = useState(filter.q ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const change = (next: { [Name in keyof ViewFilter]?: string | undefined }) => {
    const { conversationId, isVisitorShown } = inbox.router.route.peek();
    const changed = cleanFilter({ ...inbox.router.route.peek().filter, ...next });
    // The back button leads out of the list, and not through each word.
    inbox.router.go({ list, filter: changed, conversationId, isVisitorShown }, { replace: true });
  };
  const search = (q: string) => {
    clearTimeout(timer.current);
    if (q.trim() !== (filter.q ?? '')) change({ q: q.trim() });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // The words in the address were changed by something else, such as the button below.
  useEffect(() => {
    if ((filter.q ?? '') !== text.trim()) setText(filter.q ?? '');
  }, [filter.q]);
  const count = countFields(filter) + (filter.sort ? 1 : 0);
  return (
    <search class="list-filter">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <input
          type="search"
          aria-label={t('Search in {list}', { list: listNameOf(list) })}
          aria-keyshortcuts="/"
          placeholder={t('Name, tag, words of a message')}
          maxLength={longestSearch}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(value), idleMs);
          }}
        />
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-controls="list-fields"
          aria-label={
            count > 0
              ? counted(count, 'Filter and order, {count} set', 'Filter and order, {count} set')
              : t('Filter and order')
          }
          data-some={count > 0}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="filter" />
        </button>
      </form>
      <div id="list-fields" hidden={!isOpen}>
        {isOpen && <Fields inbox={inbox} list={list} filter={filter} change={change} />}
      </div>
    </search>
  );
}

interface FieldsProps extends ListView {
  inbox: Inbox;
  change(next: { [Name in keyof ViewFilter]?: string | undefined }): void;
}

const orderNames = () => ({ newest: t('Newest first'), oldest: t('Oldest first') });
const waitingNames = () => ({ newest: t('Shortest wait first'), oldest: t('Longest wait first') });

function Fields({ inbox, list, filter, change }: FieldsProps) {
  const [colleagues, setColleagues] = useState<Colleague[]>([]);
  const [bots, setBots] = useState<{ id: string; name: string }[]>([]);
  useEffect(() => {
    // Without them, the fields offer nothing to choose from.
    inbox.api.listColleagues().then(setColleagues, () => {});
    inbox.api.listBots().then(setBots, () => {});
  }, [inbox]);
  const teams = inbox.team.teams.value ?? [];
  const tags = new Set([...inbox.store.rows.value.values()].flatMap((row) => row.tags));
  const names = list === 'waiting' ? waitingNames() : orderNames();
  const selected = filter.sort ?? defaultSort(list);
  return (
    <>
      <label>
        {t('Order')}
        <select
          value={selected}
          onChange={({ currentTarget: { value } }) =>
            change({ sort: inboxSorts.find((sort) => sort === value && sort !== defaultSort(list)) })
          }
        >
          {inboxSorts.map((sort) => (
            <option key={sort} value={sort}>
              {names[sort]}
            </option>
          ))}
        </select>
      </label>
      {list !== 'mine' && list !== 'unassigned' && list !== 'closed' && list !== 'bot' && (
        <Choice
          label={t('Who answers')}
          value={filter.assignee}
          options={colleagues.map(({ memberId, name, email }) => [
            memberId,
            email ? `${name} ${email}` : name,
          ])}
          onChange={(assignee) => change({ assignee })}
        />
      )}
      {bots.length > 1 && (
        <Choice
          label={t('Bot')}
          value={filter.bot}
          options={bots.map(({ id, name }) => [id, name])}
          onChange={(bot) => change({ bot })}
        />
      )}
      {teams.length > 0 && (
        <Choice
          label={t('Team')}
          value={filter.team}
          options={teams.map(({ id, name }) => [id, name])}
          onChange={(team) => change({ team })}
        />
      )}
      <Choice
        label={t('Tag')}
        value={filter.tag}
        options={[...tags].sort().map((tag) => [tag, `#${tag}`])}
        onChange={(tag) => change({ tag })}
      />
      {list === 'bot' && (
        <>
          <Choice
            label={t('Rating')}
            value={filter.rating}
            options={[
              ['good', t('Good')],
              ['bad', t('Bad')],
            ]}
            onChange={(rating) => change({ rating })}
          />
          <Choice
            label={t('Answer')}
            value={filter.answer}
            options={[['none', t('No answer found')]]}
            onChange={(answer) => change({ answer })}
          />
        </>
      )}
      <button
        type="button"
        onClick={() =>
          change({ q: '', bot: '', assignee: '', team: '', tag: '', rating: '', answer: '', sort: undefined })
        }
      >
        {t('Show all')}
      </button>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, name: string])[];
  onChange(value: string): void;
}

/** A field that keeps all, or the rows with one value. */
function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  const isKnown = value === '' || options.some(([option]) => option === value);
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{t('Any')}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
