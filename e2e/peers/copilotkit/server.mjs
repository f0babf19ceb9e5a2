// The runtime of CopilotKit with a scripted agent, on the loopback address. Argument: the port. The agent goes on when the connection
// of a request ends, as the runtime lets it, and asks with the outcome of AG-UI.
import { createServer } from 'node:http';
import { AbstractAgent } from '@ag-ui/client';
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkit/runtime/v2';
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';
import { Observable } from 'rxjs';

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

class Shop extends AbstractAgent {
  isAborted = false;

  abortRun() {
    this.isAborted = true;
  }

  run({ threadId, runId, messages, resume = [] }) {
    return new Observable((subscriber) => {
      const isAborted = () => this.isAborted;
      answer({ threadId, runId, messages, resume, isAborted }, (event) => subscriber.next(event)).then(
        () => subscriber.complete(),
        (error) => subscriber.error(error),
      );
    });
  }
}

async function answer({ threadId, runId, messages, resume, isAborted }, send) {
  const words = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const say = (text) => {
    const messageId = crypto.randomUUID();
    send({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
    send({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text });
    send({ type: 'TEXT_MESSAGE_END', messageId });
  };
  send({ type: 'RUN_STARTED', threadId, runId });
  const approved = resume.find(({ status }) => status === 'resolved');
  if (approved) say(approved.payload.approved ? 'Refunded.' : 'Not refunded.');
  else if (/refund/i.test(words)) {
    const toolCallId = `call_${runId}`;
    send({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'refund' });
    send({ type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"order":"A-1","amount":20}' });
    send({ type: 'TOOL_CALL_END', toolCallId });
    const one = { id: `ask_${runId}`, reason: 'tool_call', message: 'Refund 20 euros?', toolCallId };
    send({ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts: [one] } });
    return;
  } else {
    if (/slow/i.test(words)) {
      say('Once');
      for (let time = 0; time < 3_000 && !isAborted(); time += 100) await wait(100);
    }
    say(`You said: ${words}`);
  }
  send({ type: 'RUN_FINISHED', threadId, runId });
}

const runtime = new CopilotRuntime({ agents: { shop: new Shop() }, runner: new InMemoryAgentRunner() });
const listener = createCopilotNodeListener({ runtime, basePath: '/api' });
createServer(listener).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
