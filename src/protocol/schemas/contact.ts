// Schemas of the e-mail addresses of visitors.
import * as v from 'valibot';
import { type Contact, contactStates, type TeamContact } from '../handling/contact.ts';

export const contactSchemas = {
  /** For the visitor. */
  contact: v.object({ email: v.string() }) satisfies v.GenericSchema<unknown, Contact>,
  /** For the team. */
  ofTeam: v.object({
    email: v.string(),
    state: v.picklist(contactStates),
  }) satisfies v.GenericSchema<unknown, TeamContact>,
};
