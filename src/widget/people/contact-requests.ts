// Reads and stores the e-mail address of the visitor, for the two forms that ask for it.
import { getContact, setContact } from '../../client/operations/chat.ts';
import type { SessionContext } from '../chat/session/context.ts';
import { language } from '../i18n/current.ts';
import { strings } from './strings.ts';

/** The state of the address in a form: whether the server sends mails, and which address is stored. */
export interface KnownContact {
  isOffered: boolean;
  email: string | undefined;
}

/** Rejects if the server does not have the operation. */
export async function readContact({ client, getSignal }: SessionContext): Promise<KnownContact> {
  const { isOffered, contact } = await client.with({ getContact }).getContact({}, { signal: getSignal() });
  return { isOffered, email: contact?.email };
}

/**
 * @param email null removes the stored address
 * @returns the stored address; rejects with the error of the server
 */
export async function saveContact(
  { client, getSignal }: SessionContext,
  email: string | null,
): Promise<string | undefined> {
  const input = { email, locale: language.locale };
  const { contact } = await client.with({ setContact }).setContact(input, { signal: getSignal() });
  return contact?.email;
}

/** The text for the visitor about a failure to store an address. The page is told of those that are not the visitor's. */
export function contactProblem({ report }: SessionContext, error: unknown): string {
  if ((Object(error) as { type?: unknown }).type === 'InvalidPayload') return strings.contactInvalid;
  report(error);
  return strings.notPossible;
}
