// Checks a configuration that is to be stored.
import { type Configuration, type FieldName, secretFields } from '../../protocol/page-api/config.ts';
import { fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import { unsupported } from '../../protocol/page-api/field-kinds.ts';
import { ApiError } from '../api/errors.ts';

/** A configuration to be stored, and a warning for each deprecated field, which is left out. */
export interface CheckedConfiguration {
  configuration: Configuration;
  warnings: string[];
}

/**
 * A configuration to be stored, without blank and deprecated fields. Throws InvalidPayload when a field is invalid,
 * unknown or a secret: the message is that of the first issue, `metadata.issues` lists up to ten.
 */
export function checkConfiguration(given: unknown): CheckedConfiguration {
  const issues: { path: string; message: string }[] = [];
  const warnings: string[] = [];
  const addIssue = (field: string, message: string): void => {
    // The name of an unknown field can be as long as the body.
    if (issues.length < 10)
      issues.push({ path: `configuration.${field}`.slice(0, 200), message: message.slice(0, 400) });
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError('InvalidPayload', 'configuration: Expected Object.');
  }
  const configuration = readLayer(given, ({ field, message }) => {
    if (isDeprecated(field)) warnings.push(message);
    else addIssue(field, message);
  });
  for (const name of secretFields) {
    if (name in configuration) addIssue(name, `Configuration: '${name}' is a secret and cannot be stored.`);
  }
  const [first] = issues;
  if (first) throw new ApiError('InvalidPayload', first.message, { issues });
  return { configuration, warnings };
}

/** True for a field that had an effect in earlier versions of the hosted product, so that stored configurations have it. */
const isDeprecated = (field: string): boolean =>
  Object.hasOwn(fields, field) && fields[field as FieldName][0] === unsupported;
