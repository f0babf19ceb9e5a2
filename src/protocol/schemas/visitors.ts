// Schemas of visitors: e-mail addresses, pre-chat answers, and the retention of their data.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { pageLimits } from '../visitor-page.ts';
import { contactStates, emailPattern, isPlainLine, preChatLimits, visitorEmailPattern } from '../visitors.ts';
import { schemas } from './chat.ts';
import { described, describedObject, maybe, timestamp } from './values.ts';

/** Normalized, so that one address identifies one person in any spelling. */
export const email = v.pipe(
  schemas.id,
  v.trim(),
  v.maxLength(limits.email),
  v.check((text) => emailPattern.test(text), 'Expected an e-mail address.'),
  v.transform((text) => text.normalize('NFC').toLowerCase()),
);

/**
 * The address that a visitor leaves: without the forms that need quotes in headers of mails, and with a domain that has a
 * dot, so that it names no machine of the operator's network.
 */
export const visitorEmail = v.pipe(
  email,
  v.check((text) => visitorEmailPattern.test(text), 'Expected an e-mail address.'),
);

const contact = describedObject('The address that a visitor has left, as the visitor sees it.', {
  email: v.string(),
});

const transcript = describedObject(
  'The mail to a visitor who has asked for a transcript. `link`: the address is not confirmed yet.',
  { ...contact.entries, sends: v.picklist(['transcript', 'link']) },
);

const ofTeam = describedObject('The address of a visitor as the team sees it.', {
  ...contact.entries,
  state: v.picklist(contactStates),
});

const pageAddress = v.pipe(
  schemas.id,
  v.maxLength(pageLimits.url),
  v.check(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'Expected an address with http or https.',
  ),
);

/** The page on which a visitor is. */
export const visitorPage = describedObject('The page on which a visitor is. It is not stored.', {
  url: pageAddress,
  title: maybe(v.pipe(v.string(), v.maxLength(pageLimits.title))),
});

/** A web address. */
const address = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'Expected a web address.',
  ),
);

/** The parts of the push subscription of a browser. */
export const pushSchemas = {
  address,
  keys: v.object({
    /** A point of 65 bytes and a secret of 16 bytes, in base64url. */
    p256dh: v.pipe(v.string(), v.regex(/^B[\w-]{86}$/)),
    auth: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  }),
  expirationTime: maybe(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))),
};

export const contactSchemas = { contact, transcript, ofTeam };

export const visitor = describedObject(
  'A visitor as an administrator sees them. `id` is the foreign id if there is one.',
  {
    id: v.string(),
    serverId: described(v.string(), 'The id that the server assigned.'),
    name: maybe(v.string()),
    createdAt: timestamp,
  },
);

const days = v.number();
const text =
  'Days after which data is removed; 0 keeps it. `messagesDays`: conversations with everything in them, and visitors ' +
  'without an id of the application who have none; `filesDays`: files of visitors; `logsDays`: the log of the bot and ' +
  'dead letters; `contactsDays`: e-mail addresses.';

export const retentionDays = describedObject(text, {
  messagesDays: days,
  filesDays: days,
  logsDays: days,
  contactsDays: days,
});

const line = (length: number) =>
  v.pipe(
    schemas.whole,
    v.trim(),
    v.nonEmpty('Expected a text that is not empty.'),
    v.maxLength(length),
    v.check(isPlainLine, 'Expected one line of plain text, without control characters and without tags.'),
  );

const answers = describedObject(
  'The answers as a client sends them, with the conversation that they begin. Each is left out if the form does not ' +
    'ask for it.',
  {
    name: maybe(line(limits.userName)),
    email: maybe(visitorEmail),
    topic: maybe(line(preChatLimits.topic), 'One of the topics of the site.'),
    consent: maybe(line(preChatLimits.consent), 'The sentence to which the visitor has agreed.'),
    fields: maybe(
      v.pipe(
        v.record(line(preChatLimits.fieldName), line(preChatLimits.fieldValue)),
        v.check(
          (fields) => Object.keys(fields).length <= preChatLimits.fields,
          `Expected at most ${preChatLimits.fields} fields.`,
        ),
      ),
      'The answers in the fields of the site, by the name of the field.',
    ),
  },
);

const form = describedObject(
  'The values that are kept with the conversation. Name and e-mail address belong to the visitor, and are kept there.',
  {
    topic: maybe(v.string(), 'One of the topics of the site.'),
    consent: maybe(v.object({ text: v.string(), at: v.string() }), '`at`: when the server received it.'),
    fields: maybe(
      v.record(v.string(), v.string()),
      'The answers in the fields of the site, by the name of the field.',
    ),
  },
);

export const preChatSchemas = {
  answers,
  /** As the team reads it. */
  form,
};

export const types = {
  Contact: contact,
  MailedTranscript: transcript,
  TeamContact: ofTeam,
  Visitor: visitor,
  RetentionDays: retentionDays,
  PreChatAnswers: answers,
  PreChatForm: form,
  VisitorPage: visitorPage,
};
