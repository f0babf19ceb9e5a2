// Details of the visitor: their data, the handoffs, and the tags of the conversation.
import type { Handoff } from '../../../../protocol/handling.ts';
import type { ContactState, PreChatForm } from '../../../../protocol/visitors.ts';
import type { Inbox } from '../inbox.ts';
import { dataOf, visitorName } from '../state/lists.ts';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';
import { momentOf } from './times.ts';

export function VisitorPane({ inbox, id }: { inbox: Inbox; id: string }) {
  const { store, router } = inbox;
  const row = store.rows.value.get(id);
  const open = store.conversations.value.get(id);
  const visitor = open?.visitor;
  if (!row) return null;
  return (
    <aside class="pane visitor" aria-labelledby="visitor-name">
      <div class="bar">
        <Link inbox={inbox} class="plain back" isBack to={{ ...router.route.value, isVisitorShown: false }}>
          <Icon name="close" />
          <span class="visually-hidden">Close</span>
        </Link>
        <h2 id="visitor-name">Visitor</h2>
      </div>
      <div class="scroll">
        <dl>
          <dt>Name</dt>
          <dd dir="auto">{visitorName({ visitor: visitor ?? row.visitor })}</dd>
          {dataOf(visitor?.profile).map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
          {open?.contact && (
            <>
              <dt>E-mail for answers</dt>
              <dd dir="auto">
                {open.contact.email}
                {contactNotes[open.contact.state]}
              </dd>
            </>
          )}
          {open?.preChatForm && <FormAnswers form={open.preChatForm} />}
          {visitor && (
            <>
              <dt>First seen</dt>
              <dd>{momentOf(visitor.createdAt)}</dd>
            </>
          )}
        </dl>
        {row.teamId && inbox.team.nameOf(row.teamId) && (
          <>
            <h3>Team</h3>
            <p dir="auto">{inbox.team.nameOf(row.teamId)}</p>
          </>
        )}
        <h3>Tags</h3>
        <p class="tags">
          {row.tags.length === 0 && 'None'}
          {row.tags.map((tag) => (
            <span key={tag} class="tag" dir="auto">
              #{tag}
            </span>
          ))}
        </p>
        <button type="button" onClick={() => inbox.openDialog('tags')}>
          Change tags
        </button>
        <h3>Requests for a person</h3>
        <ol class="handoffs">
          {(open?.handoffs.length ? open.handoffs : [row.handoff]).map((handoff) => (
            <HandoffEntry key={handoff.id} handoff={handoff} />
          ))}
        </ol>
      </div>
    </aside>
  );
}

/** Pre-chat answers. The names of fields are those of the site. */
function FormAnswers({ form: { topic, consent, fields = {} } }: { form: PreChatForm }) {
  return (
    <>
      {topic && (
        <>
          <dt>Topic</dt>
          <dd dir="auto">{topic}</dd>
        </>
      )}
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
      {consent && (
        <>
          <dt>Agreed to, {momentOf(consent.at)}</dt>
          <dd dir="auto">{consent.text}</dd>
        </>
      )}
    </>
  );
}

/** State of an address, for the team. */
const contactNotes: Record<ContactState, string> = {
  new: '',
  confirmed: ' (confirmed)',
  undeliverable: ' (mails cannot be delivered)',
  unsubscribed: ' (wants no mails)',
};

const outcomes = {
  resolved: 'closed',
  abandoned: 'the visitor went back to the bot',
  bot: 'given back to the bot',
  deleted: 'deleted',
} as const;

function HandoffEntry({ handoff }: { handoff: Handoff }) {
  const { requestedAt, requestedBy, reason, outcome } = handoff;
  return (
    <li>
      <time dateTime={requestedAt}>{momentOf(requestedAt)}</time>
      {' by '}
      {{ visitor: 'the visitor', bot: 'the bot', person: 'the team' }[requestedBy]}
      {outcome && `, ${outcomes[outcome]}`}
      {reason && (
        <span class="reason" dir="auto">
          {reason}
        </span>
      )}
    </li>
  );
}
