// The password and the sessions of the member.
import { useState } from 'preact/hooks';
import type { Session } from '../../../protocol/types/session.ts';
import { call, Refusal } from '../../session/session-api.ts';
import { Form } from '../../ui/Form.tsx';
import { focusHeading, Loading, Problem, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { useRequests } from '../../ui/requests.ts';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { browserOf } from './browsers.ts';
import './account.css';

export function PasswordSection({ onChanged }: { onChanged(): void }) {
  const [isOpen, setIsOpen] = useState(false);
  const guard = useGuard();
  return (
    <Section
      title={t('Password')}
      actions={
        !isOpen && (
          <button type="button" onClick={() => setIsOpen(true)}>
            {t('Change your password')}
          </button>
        )
      }
    >
      {isOpen && (
        <Form
          label={t('Password')}
          fields={[
            {
              name: 'currentPassword',
              label: t('Current password'),
              kind: 'password',
              autocomplete: 'current-password',
              limits: { isRequired: true },
            },
            {
              name: 'password',
              label: t('New password'),
              kind: 'password',
              autocomplete: 'new-password',
              help: t('At least 12 characters, such as four words that do not belong together.'),
              limits: { isRequired: true, minLength: 12, maxLength: 200 },
            },
          ]}
          button={t('Change the password')}
          onCancel={() => setIsOpen(false)}
          onSubmit={async ({ currentPassword = '', password = '' }) => {
            await guard(() => call('PUT', '/password', { currentPassword, password }));
            setIsOpen(false);
            onChanged();
            toast(t('Your password has changed. Your other sessions have ended.'));
            focusHeading();
          }}
        />
      )}
    </Section>
  );
}

/** Runs requests of the Session API: asks the member to sign in if the session has ended. */
function useGuard() {
  const { leave } = useConsole();
  return async <T,>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) leave.signIn();
      throw error;
    }
  };
}

export function SessionsSection() {
  const guard = useGuard();
  const requests = useRequests();
  const list = usePaged<Session>(async () => {
    const { sessions } = await guard(() => call<{ sessions: Session[] }>('GET', '/all'));
    return { items: sessions };
  }, 'sessions');
  const end = ({ id, userAgent }: Session) =>
    requests.run(async () => {
      await guard(() => call('DELETE', `/${id}`));
      list.change((items) => items.filter((item) => item.id !== id));
      toast(t('The session of {browser} has ended.', { browser: browserOf(userAgent) }));
      // The button is gone.
      focusHeading();
    });
  return (
    <Section
      title={t('Your sessions')}
      intro={t(
        'The browsers in which you are signed in. End those that you do not know, and change your password.',
      )}
    >
      {!list.items ? (
        list.problem ? (
          <Problem text={list.problem} onRetry={list.reload} />
        ) : (
          <Loading />
        )
      ) : (
        <ul class="entry-rows">
          {list.items.map((session) => (
            <li key={session.id}>
              <div>
                <strong>{browserOf(session.userAgent)}</strong>
                <span class="second">
                  {[
                    session.isCurrent
                      ? t('This browser')
                      : t('Last used {time}', { time: timeText(session.seenAt) }),
                    session.network,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </div>
              {!session.isCurrent && (
                <button
                  type="button"
                  aria-label={t('End the session of {browser}', { browser: browserOf(session.userAgent) })}
                  onClick={() => end(session)}
                >
                  {t('End')}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="problem" role="alert">
        {requests.message}
      </p>
    </Section>
  );
}
