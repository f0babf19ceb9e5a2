// Schema of the deployment of a bot in the Admin API, as it is returned.
import * as v from 'valibot';
import { described, describedObject, maybe } from '../base/described.ts';
import { agentDeployment } from './agents.ts';

export const deployment = describedObject(
  'The code that a bot runs, the address of its chat, and the secrets that its application needs.',
  {
    webhookId: described(v.string(), "The last part of the chat's address."),
    chatUrl: described(v.string(), 'The address of the chat, for `chatUrl` of the widget and of clients.'),
    code: maybe(v.string(), "A module in the server's folder of bots, such as `shop.mjs`."),
    webhookUrl: maybe(v.string(), 'The address that receives events, if the bot has no code.'),
    agent: maybe(agentDeployment, 'The agent that answers, if the bot has neither code nor a webhook.'),
    webhookFormat: maybe(
      v.literal('hosted'),
      '`hosted`: requests to the webhook are those of the hosted product. Left out for the format of this server.',
    ),
    outgoingEvents: maybe(
      v.boolean(),
      'True for a bot that also receives events about the messages and events that it sends itself.',
    ),
    visitorHandoff: maybe(
      v.boolean(),
      'True if all visitors can ask for a person (`POST /conversations/{id}/handoff`), not only by a ' +
        'button of the bot.',
    ),
    ratings: maybe(
      v.boolean(),
      'False if visitors are not asked for a rating when a conversation with a person is closed.',
    ),
    readReceipts: maybe(
      v.boolean(),
      'True if visitors see what the person who answers has read, and members what the visitor has read.',
    ),
    returnUrl: maybe(
      v.string(),
      'The page of the site to which links in mails lead visitors whom the site identifies.',
    ),
    knowledgeResults: maybe(
      v.number(),
      'Passages of the knowledge bases that are searched for with each message of a user (`event.kb.results`).',
    ),
    signingSecret: maybe(
      v.string(),
      'Signs the events sent to the webhook. Returned only to callers who may change it, like the next field.',
    ),
    userKeySecret: maybe(
      v.string(),
      'Signs user keys of this bot (HS256). Absent if that secret is the server setting.',
    ),
  },
);

export const types = { Deployment: deployment };
