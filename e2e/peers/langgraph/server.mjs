// The server of LangGraph with its AG-UI bridge, on the loopback address. Arguments: the port of the bridge, the port of the server.
// `/outcome` asks with the outcome of AG-UI, all other paths with the event of the bridge. Runs are refused while another one of the
// thread goes on, as LangGraph's server in Python does by default.
import { createServer } from 'node:http';
import { LangGraphAgent } from '@ag-ui/langgraph';
import { startServer } from '@langchain/langgraph-api/server';

const [port, apiPort] = process.argv.slice(2).map(Number);
const cwd = import.meta.dirname;
await startServer({
  port: apiPort,
  nWorkers: 4,
  host: '127.0.0.1',
  cwd,
  graphs: { shop: './graph.mjs:graph' },
});

createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const input = JSON.parse(body);
  const agent = new LangGraphAgent({
    deploymentUrl: `http://127.0.0.1:${apiPort}`,
    graphId: 'shop',
    emitInterruptOutcome: request.url === '/outcome',
  });
  input.forwardedProps = { ...input.forwardedProps, multitaskStrategy: 'reject' };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  agent.run(input).subscribe({
    next: send,
    error(error) {
      send({ type: 'RUN_ERROR', message: String(error?.message ?? error) });
      response.end();
    },
    complete: () => response.end(),
  });
}).listen(port, '127.0.0.1', () => console.log('listening'));
