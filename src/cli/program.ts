// The program `platform-webchat`: its command tree, and how commander prints help and reports errors.
import { readFileSync } from 'node:fs';
import { type Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { backUp, moveData, restore } from './backup.ts';
import { createBot, deleteBot, deployBot, listBots, snippet, updateBot } from './bots.ts';
import { createCommand, leavesOf, pathOf } from './command.ts';
import { exitCodes, oneLine, UsageError } from './errors.ts';
import { pushFiles } from './files.ts';
import type { Io } from './io.ts';
import { listAudit, showLogs } from './logs.ts';
import {
  addMember,
  deleteWorkspace,
  inviteMember,
  linkMember,
  listMembers,
  listWorkspaces,
  removeMember,
  updateMember,
} from './members.ts';
import { serve } from './serve.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { tryAgent } from './try.ts';
import { botRetention, deleteUser, exportUser } from './users.ts';

/** Characters in a line of help, at most. */
const helpWidth = 100;

const afterHelp = `
Every command lists its options with --help.
Exit codes: ${exitCodes.done} done, ${exitCodes.failed} failed, ${exitCodes.usage} wrong command line, ${exitCodes.stopped} stopped by Ctrl-C.`;

/** Creates the program with all its commands. A wrong command line throws UsageError. */
export function createProgram(io: Io): Command {
  const program = createCommand('platform-webchat')
    .description('Starts the webchat server, and manages one from the command line.')
    .addHelpText('after', afterHelp)
    .addCommand(serve(io))
    .addCommand(backUp(io))
    .addCommand(restore(io))
    .addCommand(moveData(io))
    .addCommand(
      group(
        'bots',
        'The bots of a workspace.',
        listBots(io),
        createBot(io),
        updateBot(io),
        deployBot(io),
        botRetention(io),
        deleteBot(io),
      ),
    )
    .addCommand(group('agents', 'Agents at an address.', tryAgent(io)))
    .addCommand(snippet(io))
    .addCommand(showLogs(io))
    .addCommand(
      group(
        'members',
        'The members of a workspace.',
        listMembers(io),
        addMember(io),
        inviteMember(io),
        linkMember(io),
        updateMember(io),
        removeMember(io),
      ),
    )
    .addCommand(
      group('tokens', 'The access tokens of the APIs.', listTokens(io), createToken(io), revokeToken(io)),
    )
    .addCommand(group('workspaces', 'The workspaces of a server.', listWorkspaces(io), deleteWorkspace(io)))
    .addCommand(group('audit', 'The audit trail of a workspace.', listAudit(io)))
    .addCommand(group('files', 'The files of a bot.', pushFiles(io)))
    .addCommand(group('users', 'The data of visitors.', exportUser(io), deleteUser(io)))
    .hook('preAction', (_, command) => assertValues(command));
  // Commander's own `version()` needs the version before parsing, so package.json would be read at every start.
  program.option('--version', 'Prints the version.').on('option:version', () => {
    io.stdout.write(`${readVersion()}\n`);
    throw new CommanderError(0, 'commander.version', '');
  });
  configure(program, io);
  return program;
}

/** The version of the package, read relative to this module's source or to its built form in `dist/node/src/cli`. */
function readVersion(): string {
  const path = import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../../package.json';
  return (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }).version;
}

function group(name: string, description: string, ...commands: CommandUnknownOpts[]): Command {
  const command = createCommand(name).description(description);
  for (const one of commands) command.addCommand(one);
  return command;
}

/** Configures output, help and errors of a command and all of its subcommands. */
function configure(command: CommandUnknownOpts, io: Io): void {
  command
    // An option belongs to the command that it follows.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Errors are printed by runCli, in one line.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => Math.min(helpWidth, io.stdout.columns ?? helpWidth),
    })
    .configureHelp({
      formatHelp: (shown, helper) => {
        // Lists the commands instead of their groups. Only here, because suggestions use this list, too.
        helper.visibleCommands = leavesOf;
        return Help.prototype.formatHelp.call(helper, shown, helper);
      },
      subcommandTerm: (one) =>
        [pathOf(one), ...one.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' '),
      // Code of Markdown is plain on a terminal.
      optionDescription: (option) => plain(option.description),
      argumentDescription: (argument) => plain(argument.description),
      subcommandDescription: (one) => plain(one.description()),
      commandDescription: (one) => plain(one.description()),
    })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageError(error, command);
    });
  for (const one of command.commands) configure(one, io);
}

const plain = (markdown: string): string => markdown.replaceAll('`', '');

/** Rejects empty values, and options in the position of values: in `--url --json` the address is missing. */
function assertValues(command: CommandUnknownOpts): void {
  const isOption = (value: string) =>
    command.options.some(({ long, short }) => value === long || value === short);
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (!option.required || typeof value !== 'string') continue;
    if (value === '' || isOption(value) || value === '--help') throw missingValue(option.flags, command);
  }
}

const missingValue = (flags: string, command: CommandUnknownOpts) =>
  new UsageError(`A value is missing: ${flags}. ${hintOf(command)}`);

const hintOf = (command: CommandUnknownOpts) =>
  `See \`${`platform-webchat ${pathOf(command)}`.trimEnd()} --help\`.`;

/** An error of commander in one line with a remedy, and without values, because one can be a token. */
function usageError({ code, message }: CommanderError, command: CommandUnknownOpts): UsageError {
  if (code === 'commander.help') {
    const names = command.commands.map((one) => one.name()).join(', ');
    return new UsageError(`\`${pathOf(command)}\` needs a subcommand: ${names}.`);
  }
  if (code === 'commander.optionMissingArgument') {
    return missingValue(/'(.*)'/.exec(message)?.[1] ?? '', command);
  }
  const [, flag] = /^error: unknown option '(--[^=']*|-.?)/s.exec(message) ?? [];
  if (flag && command.options.some(({ long }) => long === flag)) {
    return new UsageError(`Option '${flag}' takes no value. ${hintOf(command)}`);
  }
  const [problem = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/);
  const sentence = flag ? `unknown option '${flag}'.` : `${problem.replace(/\.$/, '')}.`;
  return new UsageError(
    [oneLine(capitalize(sentence)), suggestion, hintOf(command)].filter(Boolean).join(' '),
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
