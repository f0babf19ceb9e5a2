// A new project in a temporary folder: runs the steps of a recipe in it. Programs that serve it are started and ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { applyDiff, exampleServer, exampleUrl, type Step } from './recipe.ts';

/** Commands that serve the project until they are ended. */
const isServer = (command: string) =>
  /^npm (start|run (dev|preview|start|serve\S*))\b|^npx serve\b/.test(command);

export interface Served {
  /** The command that serves the project. */
  command: string;
  url: string;
  /** Everything that the command has printed until now. */
  output(): string;
}

export interface ProjectOptions {
  folder: string;
  chatUrl: string;
  env: Record<string, string | undefined>;
  /** Called for each command that serves the project. */
  onServed(served: Served, project: Project): Promise<void>;
}

export interface Project {
  /** The folder of the project, in which the present command runs. */
  folder: string;
  /** The file that contains the chat. */
  file: string;
}

export async function runSteps(steps: Step[], options: ProjectOptions): Promise<void> {
  const { chatUrl, env, onServed } = options;
  const project: Project = { folder: options.folder, file: '' };
  for (const step of steps) {
    if (step.kind === 'command') {
      const folder = /^cd (\S+)$/.exec(step.text)?.[1];
      if (folder) project.folder = join(project.folder, folder);
      else if (isServer(step.text)) await serve(step.text, project, env, onServed);
      else await run(step.text.replaceAll(exampleServer, new URL(chatUrl).origin), project.folder, env);
      continue;
    }
    const path = join(project.folder, step.path);
    const text = step.text.replaceAll(exampleUrl, chatUrl);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.kind === 'write' ? text : applyDiff(await readFile(path, 'utf8'), text));
    project.file = path;
  }
}

/** Starts a command in a process group of its own, so that what it starts is ended with it. */
function start(command: string, folder: string, env: ProjectOptions['env']): [ChildProcess, () => string] {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += stripVTControlCharacters(text);
    });
  }
  return [child, () => output];
}

const lastLines = (text: string) => text.trim().split('\n').slice(-40).join('\n');

async function run(command: string, folder: string, env: ProjectOptions['env']): Promise<void> {
  const [child, output] = start(command, folder, env);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${lastLines(output())}`);
}

/** Milliseconds until a server has printed its address: it may compile the project before. */
const startLimitMs = 300_000;

async function serve(
  command: string,
  project: Project,
  env: ProjectOptions['env'],
  onServed: ProjectOptions['onServed'],
): Promise<void> {
  const [child, output] = start(command, project.folder, env);
  const exit = once(child, 'close');
  try {
    const url = await addressIn(child, output, command);
    await onServed({ command, url, output }, project);
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : error}\n${command} printed:\n${lastLines(output())}`,
    );
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exit;
  }
}

function addressIn(child: ChildProcess, output: () => string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`${command} ${reason}.`));
    };
    const timer = setTimeout(fail, startLimitMs, 'printed no address');
    const look = () => {
      const port = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d+)/.exec(output())?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(`http://localhost:${port}/`);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', () => fail('ended'));
  });
}
