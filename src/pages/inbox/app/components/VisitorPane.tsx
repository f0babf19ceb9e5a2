// Details of the visitor: their data, the handoffs, and the tags of the conversation.
import type { Handoff } from '../../../../protocol/handling.ts';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { ContactState, PreChatForm } from '../../../../protocol/visitors.ts';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { t, withParts } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { dataOf, visitorName } from '../state/lists.ts';
import { focusConversation } from './focus.ts';
import { Link } from './Link.tsx';
import { usePages } from './pages.ts';
import { OutLink } from './Text.tsx';
import { ageOf, agoText, momentOf } from './times.ts';

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
          <span class="visually-hidden">{t('Close')}</span>
        </Link>
        <h2 id="visitor-name">{t('Visitor')}</h2>
      </div>
      <div class="scroll">
        <dl>
          <dt>{t('Name')}</dt>
          <dd dir="auto">{visitorName({ visitor: visitor ?? row.visitor })}</dd>
          {dataOf(visitor?.profile).map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name === 'Profile' ? t('Profile') : name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
          {open?.contact && (
            <>
              <dt>{t('E-mail for answers')}</dt>
              <dd dir="auto">{contactText(open.contact)}</dd>
            </>
          )}
          {open?.preChatForm && <FormAnswers form={open.preChatForm} />}
          {visitor && (
            <>
              <dt>{t('First seen')}</dt>
              <dd>{momentOf(visitor.createdAt)}</dd>
            </>
          )}
        </dl>
        <SharedPage inbox={inbox} id={id} />
        {row.teamId && inbox.team.nameOf(row.teamId) && (
          <>
            <h3>{t('Team')}</h3>
            <p dir="auto">{inbox.team.nameOf(row.teamId)}</p>
          </>
        )}
        <h3>{t('Tags')}</h3>
        <p class="tags">
          {row.tags.length === 0 && t('None')}
          {row.tags.map((tag) => (
            <span key={tag} class="tag" dir="auto">
              #{tag}
            </span>
          ))}
        </p>
        {row.handoff && (
          <button type="button" onClick={() => inbox.openDialog('tags')}>
            {t('Change tags')}
          </button>
        )}
        <VisitorConversations inbox={inbox} id={id} />
        <h3>{t('Requests for a person')}</h3>
        {!row.handoff && <p>{t('None')}</p>}
        <ol class="handoffs">
          {(open?.handoffs.length ? open.handoffs : row.handoff ? [row.handoff] : []).map((handoff) => (
            <HandoffEntry key={handoff.id} handoff={handoff} />
          ))}
        </ol>
      </div>
    </aside>
  );
}

/** The page on which the visitor is, where the site shares it. */
function SharedPage({ inbox, id }: { inbox: Inbox; id: string }) {
  const page = inbox.store.pageOf(id);
  if (!page) return null;
  const { url, title, isOnline } = page;
  return (
    <>
      <h3>{t('Page')}</h3>
      <p class="shared-page">
        <span class="presence" data-online={isOnline}>
          {isOnline ? t('Online now') : t('Not online, was on')}
        </span>
        {title && <bdi>{toDrawable(title)}</bdi>}
        {/^https?:/.test(url) && <OutLink href={url}>{toDrawable(withoutScheme(url))}</OutLink>}
      </p>
    </>
  );
}

/** The other conversations of the visitor, those that began last at first. */
function VisitorConversations({ inbox, id }: { inbox: Inbox; id: string }) {
  const { store, router } = inbox;
  const { items, status, nextToken, read } = usePages<InboxRow>(inbox, async (token, signal) => {
    const query = { id, pageSize: 10, ...(token && { nextToken: token }) };
    const { conversations, meta } = await inbox.api.inbox.listVisitorConversations(query, { signal });
    return { items: conversations, nextToken: meta.nextToken };
  });
  const others = items.filter(
    ({ conversationId }) => conversationId !== id && !store.isDeleted(conversationId),
  );
  const now = store.clock.value;
  return (
    <>
      <h3>{t('Other conversations')}</h3>
      {status === 'ready' && !nextToken && others.length === 0 && <p>{t('None')}</p>}
      {status === 'failed' && <p>{t('They could not be loaded.')}</p>}
      <ol class="others">
        {others.map(({ conversationId, preview, sortAt }) => (
          <li key={conversationId}>
            <Link
              inbox={inbox}
              to={{ ...router.route.value, conversationId, entry: undefined, isVisitorShown: false }}
              onOpen={focusConversation}
            >
              <bdi>{preview || t('Conversation')}</bdi>
              <span class="visually-hidden">, {agoText(sortAt, now)}</span>
            </Link>{' '}
            <span aria-hidden="true">{ageOf(sortAt, now)}</span>
          </li>
        ))}
      </ol>
      {status !== 'loading' && (nextToken || status === 'failed') && (
        <button type="button" onClick={read}>
          {status === 'failed' ? t('Try again') : t('Show more')}
        </button>
      )}
    </>
  );
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

/** Pre-chat answers. The names of fields are those of the site. */
function FormAnswers({ form: { topic, consent, fields = {} } }: { form: PreChatForm }) {
  return (
    <>
      {topic && (
        <>
          <dt>{t('Topic')}</dt>
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
          <dt>{t('Agreed to, {time}', { time: momentOf(consent.at) })}</dt>
          <dd dir="auto">{consent.text}</dd>
        </>
      )}
    </>
  );
}

/** An address and its state, for the team. */
function contactText({ email, state }: { email: string; state: ContactState }): string {
  const texts: Record<ContactState, string> = {
    new: email,
    confirmed: t('{email} (confirmed)', { email }),
    undeliverable: t('{email} (mails cannot be delivered)', { email }),
    unsubscribed: t('{email} (wants no mails)', { email }),
  };
  return texts[state];
}

const outcomes = () => ({
  resolved: t('closed'),
  abandoned: t('the visitor went back to the bot'),
  bot: t('given back to the bot'),
  deleted: t('deleted'),
});

function HandoffEntry({ handoff }: { handoff: Handoff }) {
  const { requestedAt, requestedBy, reason, outcome } = handoff;
  return (
    <li>
      {withParts(
        {
          visitor: t('{time} by the visitor'),
          bot: t('{time} by the bot'),
          person: t('{time} by the team'),
        }[requestedBy],
        { time: <time dateTime={requestedAt}>{momentOf(requestedAt)}</time> },
      )}
      {outcome && `, ${outcomes()[outcome]}`}
      {reason && (
        <span class="reason" dir="auto">
          {reason}
        </span>
      )}
    </li>
  );
}
