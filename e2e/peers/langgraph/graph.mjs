// A graph of LangGraph: it asks with `interrupt()`, calls a tool and takes its time, as the words of the visitor say. The model is
// scripted.
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { END, interrupt, MessagesZodState, START, StateGraph } from '@langchain/langgraph';
import { z } from 'zod';

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const say = (text, messages) =>
  new FakeStreamingChatModel({ responses: [new AIMessage(text)], sleep: 1 }).invoke(messages);
const getOrder = tool(async ({ id }) => `Order ${id} was sent.`, {
  name: 'get_order',
  description: 'Finds an order.',
  schema: z.object({ id: z.string() }),
});

async function shop({ messages }) {
  const last = messages.filter((message) => message.getType() === 'human').at(-1);
  const words = String(last?.content ?? '');
  if (/refund/i.test(words)) {
    const input = { order: 'A-1', amount: 20 };
    const answer = interrupt({ question: 'Refund 20 euros?', tool: 'refund', input });
    return { messages: [await say(answer?.approved === true ? 'Refunded.' : 'Not refunded.', messages)] };
  }
  if (/count/i.test(words)) return { messages: [await say(`${messages.length} messages`, messages)] };
  if (/name/i.test(words)) {
    const name = interrupt('What is your name?');
    return { messages: [await say(`Hello ${name}.`, messages)] };
  }
  if (/silent/i.test(words)) {
    // The stream has the call, and only the snapshot its result and the text before it.
    const id = `call_${messages.length}`;
    const call = { id, name: 'get_order', args: { id: 'A-1' }, type: 'tool_call' };
    const result = new ToolMessage({ content: 'Sent.', tool_call_id: id, name: 'get_order' });
    return {
      messages: [
        new AIMessage({ content: 'Let me look.', tool_calls: [call] }),
        result,
        new AIMessage('Sent.'),
      ],
    };
  }
  if (/order/i.test(words)) {
    const id = `call_${messages.length}`;
    const call = { id, name: 'get_order', args: { id: 'A-1' }, type: 'tool_call' };
    const result = await getOrder.invoke(call);
    const made = new AIMessage({ content: '', tool_calls: [call] });
    return { messages: [made, result, await say('It was sent.', messages)] };
  }
  if (/slow/i.test(words)) {
    await say('Once', messages);
    await wait(3_000);
  }
  return { messages: [await say(`You said: ${words}`, messages)] };
}

export const graph = new StateGraph(MessagesZodState)
  .addNode('shop', shop)
  .addEdge(START, 'shop')
  .addEdge('shop', END)
  .compile();
