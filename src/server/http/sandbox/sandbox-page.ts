// The page of the sandbox origin: it shows the document that it is given in a frame with an opaque origin, and passes messages on
// between this frame and the page with the chat (the sandbox proxy of MCP Apps).

/**
 * Messages of the app are copied as JSON and counted here, in the process of the frame: neither huge messages nor many of them
 * reach the page with the chat. `allow-forms`: otherwise browsers do not even tell the app of a form that was submitted; the policy
 * refuses to send it.
 */
export const sandboxPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>App</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden }</style>
<body>
<script>
{
  const reserved = 'ui/notifications/sandbox-';
  const [longest, most, perSecond] = [100000, 100, 50];
  const host = parent;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-forms');
  frame.title = document.title;
  let hostOrigin;
  let left = most;
  let time = performance.now();
  const isReserved = (data) => String(data?.method).startsWith(reserved);

  function receiveOfHost({ data, origin }) {
    if (hostOrigin !== undefined) {
      if (origin !== hostOrigin) return;
      if (!isReserved(data)) frame.contentWindow.postMessage(data, '*');
      else if (data.method === reserved + 'activation') answer();
    } else if (data?.method === reserved + 'resource-ready') {
      hostOrigin = origin;
      frame.srcdoc = String(data.params?.html);
      document.body.append(frame);
    }
  }

  // What the visitor does in the app counts here, and what is done in the page with the chat does not.
  function answer() {
    const isActive = navigator.userActivation?.isActive !== false;
    host.postMessage({ jsonrpc: '2.0', method: reserved + 'activation', params: { isActive } }, hostOrigin);
  }

  function receiveOfApp({ data }) {
    const now = performance.now();
    left = Math.min(most, left + ((now - time) / 1000) * perSecond);
    time = now;
    if (left < 1) return;
    left -= 1;
    let json;
    try {
      json = JSON.stringify(data);
    } catch {}
    if (json === undefined || json.length > longest || isReserved(data)) return;
    host.postMessage(JSON.parse(json), hostOrigin);
  }

  if (host !== window) {
    addEventListener('message', (event) => {
      if (event.source === host) receiveOfHost(event);
      else if (event.source && event.source === frame.contentWindow) receiveOfApp(event);
    });
    host.postMessage({ jsonrpc: '2.0', method: reserved + 'proxy-ready', params: {} }, '*');
  }
}
</script>
`;
