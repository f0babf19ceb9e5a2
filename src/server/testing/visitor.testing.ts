// A visitor of a server process with a conversation, who uses the Chat API over HTTP.

interface VisitorAnswer {
  status: number;
  headers: Headers;
  // Tests read response bodies without declared types.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  body: any;
}

interface Visitor {
  key: string;
  /** The id of the conversation. */
  id: string;
  call(method: string, path: string, body?: unknown): Promise<VisitorAnswer>;
  send(text: string): Promise<VisitorAnswer>;
  /** The texts of all messages, the oldest first. */
  texts(): Promise<string[]>;
  listen(headers?: Record<string, string>): Promise<Response>;
  announce(name: string, size: number): Promise<{ id: string; uploadUrl: string; url: string }>;
  /** Uploads a file and returns the path of its address; without an acknowledgement an empty text. */
  upload(name: string, content: Buffer): Promise<string>;
  leave(): Promise<unknown>;
}

/** `at`: the address of the server, or a function that returns it at the time of each request. */
export async function enter(at: string | (() => string)): Promise<Visitor> {
  let key = '';
  const addressOf = (path: string) => `${typeof at === 'string' ? at : at()}/chat/demo${path}`;
  const call: Visitor['call'] = async (method, path, body) => {
    const response = await fetch(addressOf(path), {
      method,
      headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  key = (await call('POST', '/users', {})).body.key;
  const id = (await call('POST', '/conversations', {})).body.conversation?.id ?? '';
  const visitor: Visitor = {
    key,
    id,
    call,
    send: (text) => call('POST', '/messages', { conversationId: id, payload: { type: 'text', text } }),
    async texts() {
      const found: string[] = [];
      for (let query: string | undefined = ''; query !== undefined; ) {
        const { body } = await call('GET', `/conversations/${id}/messages${query}`);
        found.push(...body.messages.map(({ payload }: { payload: { text: string } }) => payload.text));
        query = body.meta.nextToken && `?nextToken=${body.meta.nextToken}`;
      }
      return found.reverse();
    },
    listen: (headers = {}) =>
      fetch(addressOf(`/conversations/${id}/listen`), { headers: { 'x-user-key': key, ...headers } }),
    announce: async (name, size) => (await call('POST', '/files', { key: name, size })).body.file ?? {},
    async upload(name, content) {
      const { uploadUrl, url } = await visitor.announce(name, content.length);
      const { status } = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(content) });
      return status === 204 ? new URL(url).pathname : '';
    },
    leave: () => call('DELETE', '/users/me'),
  };
  return visitor;
}
