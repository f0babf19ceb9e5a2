// Creates the commands of the program; --help and docs/reference/cli.md are derived from these definitions.
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

const examples = new WeakMap<CommandUnknownOpts, string>();

/** A command or a group of commands. `example`: the arguments of an example, without the name of the program. */
export function createCommand(name: string, example?: string): Command {
  const command = new Command(name).helpOption('-h, --help', 'Shows this help.');
  if (example === undefined) return command;
  examples.set(command, example);
  return command.addHelpText('after', `\nExample: platform-webchat ${example}`);
}

/** The example that a command was created with. */
export const exampleOf = (command: CommandUnknownOpts): string => examples.get(command) ?? '';

/** The name of a command with those of its parents: `bots create`. Empty for the program itself. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trimStart() : '';
}

/** All commands below this one that do something, without the groups. */
export function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leavesOf(one) : [one]));
}
