// Links with which members sign in: sent by mail if the server sends mails, or shown once.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/core/errors.ts';
import type { SignInOptions } from '../../../protocol/types/session.ts';
import { call } from '../../session/session-api.ts';
import { t } from '../../ui/texts.ts';
import type { ConsoleClient } from '../console.ts';

export type LinkPurpose = 'invitation' | 'sign-in' | 'reset';

/** A link that was created. `url`: shown once; left out if it was sent by mail. */
export interface CreatedLink {
  expiresAt: string;
  url?: string;
}

/** The ways to sign in that the server offers; undefined until they are known. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    let isGone = false;
    call<SignInOptions>('GET', '/options').then(
      (found) => {
        if (!isGone) setOptions(found);
      },
      () => {
        // Links are shown then.
        if (!isGone) setOptions({ password: true, link: false });
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return options;
}

export const createLink = (
  client: ConsoleClient,
  id: string,
  purpose: LinkPurpose,
  isMailed: boolean,
): Promise<CreatedLink> =>
  explained(client.createMemberLink({ id, purpose, delivery: isMailed ? 'mail' : 'return' }));

/** Rejects with words that say which rule of the roles refuses a change. */
export async function explained<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.type === 'Forbidden')
      throw new Error(t('Your role does not allow this: {reason}', { reason: error.message }));
    throw error;
  }
}
