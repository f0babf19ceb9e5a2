// Schemas of what a server tells the widget, and of the configuration of the widget.
import * as v from 'valibot';
import type { Configuration } from '../../page-api/config.ts';
import { features } from '../../webchat.ts';
import { described, describedObject, maybe, writtenType } from '../base/described.ts';
import { data } from '../base/values.ts';

/** As the server returns it. */
const storedConfiguration = writtenType<Configuration>('Configuration', 'page-api/config.ts', data);

/** Validated with the table of the widget (config.ts), because a schema would drop unknown names silently. */
const configuration = writtenType<Configuration>(
  'Configuration',
  'page-api/config.ts',
  v.pipe(
    v.unknown(),
    v.metadata({
      type: 'object',
      description: 'Fields of the configuration of the widget, without its secrets.',
    }),
  ),
);

const feature = v.picklist(features);

const webchat = describedObject('The response of `GET {chat}/webchat`; 404 means a plain Chat API server.', {
  configuration: described(storedConfiguration, 'The dashboard configuration of this bot.'),
  botUserId: maybe(
    v.string(),
    "The id of the user who is the author of the bot's messages: other authors are participants or " +
      'people who answer.',
  ),
  features: v.array(feature),
  limits: v.object({
    messageBytes: v.number(),
    fileBytes: described(v.number(), 'Bytes of one file.'),
    fileTypes: described(
      v.array(v.string()),
      'Media types that may be uploaded, such as `image/*` or `application/pdf`; empty for all.',
    ),
    filesPerMessage: maybe(v.number(), 'Files in one message, if the bot limits them.'),
  }),
  sandboxOrigin: maybe(
    v.string(),
    'The origin in which apps of the bot run; without it, they are shown as text.',
  ),
});

const embedType = described(
  v.picklist(['preconfigured', 'configurable', 'fullscreen', 'sharableUrl']),
  "The form in which a bot's chat is embedded: HTML for pages, or the address of a separate page.",
);

export const webchatSchemas = { embedType, storedConfiguration, configuration, webchat };

export const types = { Feature: feature, Webchat: webchat, EmbedType: embedType };
