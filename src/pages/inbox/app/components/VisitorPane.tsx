// Details of the visitor: their data, the handoffs, and the tags of the conversation.
import type { Handoff } from '../../../../protocol/handling.ts';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { wordsOfName } from '../../../../protocol/name-words.ts';
import type { ContactState, PreChatForm } from '../../../../protocol/visitors.ts';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { t, withParts } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { dataOf, visitorName } from '../state/lists.ts';
import { lastWordsOf } from './ConversationRow.tsx';
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
  const name = visitorName({ visitor: visitor ?? row.visitor });
  const teamName = row.teamId && inbox.team.nameOf(row.teamId);
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
        <div class="profile">
          <Avatar name={name} size="header" />
          <p class="name" dir="auto">
            {name}
          </p>
        </div>
        <SharedPage inbox={inbox} id={id} />
        <div class="part">
          <h3>{t('Details')}</h3>
          <dl>
            {dataOf(visitor?.profile).map(([key, value]) => (
              <Attribute
                key={key}
                name={key === 'Profile' ? t('Profile') : wordsOfName(key)}
                hint={key === 'Profile' ? undefined : key}
                value={value}
              />
            ))}
            {open?.contact && <Attribute name={t('E-mail for answers')} value={contactText(open.contact)} />}
            {open?.preChatForm && <FormAnswers form={open.preChatForm} />}
            {visitor && <Attribute name={t('First seen')} value={momentOf(visitor.createdAt)} />}
            {row.teamId && teamName && <Attribute name={t('Team')} value={teamName} />}
          </dl>
        </div>
        <div class="part">
          <div class="heading">
            <h3>{t('Tags')}</h3>
            {row.handoff && (
              <button type="button" class="quiet" onClick={() => inbox.openDialog('tags')}>
                {t('Change tags')}
              </button>
            )}
          </div>
          <p class="tags">
            {row.tags.length === 0 && <span class="none">{t('None')}</span>}
            {row.tags.map((tag) => (
              <span key={tag} class="tag" dir="auto">
                #{tag}
              </span>
            ))}
          </p>
        </div>
        <VisitorConversations inbox={inbox} id={id} />
        <div class="part">
          <h3>{t('Requests for a person')}</h3>
          {!row.handoff && <p class="none">{t('None')}</p>}
          <ol class="handoffs">
            {(open?.handoffs.length ? open.handoffs : row.handoff ? [row.handoff] : []).map((handoff) => (
              <HandoffEntry key={handoff.id} handoff={handoff} />
            ))}
          </ol>
        </div>
      </div>
    </aside>
  );
}

interface AttributeProps {
  name: string;
  value: string;
  /** The key of the site, where the name is one in words. */
  hint?: string | undefined;
}

function Attribute({ name, value, hint }: AttributeProps) {
  return (
    <div>
      <dt dir="auto" title={hint}>
        {name}
      </dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}

/** The page on which the visitor is, or was, where the site shares it. */
function SharedPage({ inbox, id }: { inbox: Inbox; id: string }) {
  const page = inbox.store.pageOf(id);
  if (!page) return null;
  const { url, title, isOnline } = page;
  return (
    <div class="part">
      <h3>{isOnline ? t('Page') : t('Last page')}</h3>
      <p class="shared-page">
        <span class="presence" data-online={isOnline}>
          {isOnline ? t('Online now') : t('Not online')}
        </span>
        {title && <bdi>{toDrawable(title)}</bdi>}
        {/^https?:/.test(url) && <OutLink href={url}>{toDrawable(withoutScheme(url))}</OutLink>}
      </p>
    </div>
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
    <div class="part">
      <h3>{t('Other conversations')}</h3>
      {status === 'ready' && !nextToken && others.length === 0 && <p class="none">{t('None')}</p>}
      {status === 'failed' && <p>{t('They could not be loaded.')}</p>}
      <ol class="others">
        {others.map((other) => (
          <li key={other.conversationId}>
            <Link
              inbox={inbox}
              to={{
                ...router.route.value,
                conversationId: other.conversationId,
                entry: undefined,
                isVisitorShown: false,
              }}
              onOpen={focusConversation}
            >
              <bdi>{lastWordsOf(other, inbox.me).text || t('Conversation')}</bdi>
              <span class="visually-hidden">, {agoText(other.sortAt, now)}</span>
            </Link>
            <span class="age" aria-hidden="true">
              {ageOf(other.sortAt, now)}
            </span>
          </li>
        ))}
      </ol>
      {status !== 'loading' && (nextToken || status === 'failed') && (
        <button type="button" onClick={read}>
          {status === 'failed' ? t('Try again') : t('Show more')}
        </button>
      )}
    </div>
  );
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

/** Pre-chat answers. The names of fields are those of the site. */
function FormAnswers({ form: { topic, consent, fields = {} } }: { form: PreChatForm }) {
  return (
    <>
      {topic && <Attribute name={t('Topic')} value={topic} />}
      {Object.entries(fields).map(([key, value]) => (
        <Attribute key={key} name={wordsOfName(key)} hint={key} value={value} />
      ))}
      {consent && (
        <Attribute name={t('Agreed to, {time}', { time: momentOf(consent.at) })} value={consent.text} />
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
