// A fake XMLHttpRequest for tests of uploads in pages.
import { waitFor } from '../../polling.testing.ts';

/** A fake XMLHttpRequest: the test decides the outcome of each request. */
export class FakeRequest {
  static all: FakeRequest[] = [];
  /** Waits until a request is sent. */
  static sent(index: number): Promise<FakeRequest> {
    return waitFor(() => {
      const found = FakeRequest.all[index];
      if (!found?.sent) throw new Error('not yet');
      return found;
    });
  }
  upload: { onprogress?(event: { loaded: number }): void } = {};
  headers: Record<string, string> = {};
  isAborted = false;
  status = 0;
  responseText = '';
  line = '';
  sent: Blob | undefined;
  onloadend = () => {};
  constructor() {
    FakeRequest.all.push(this);
  }
  open(method: string, url: string) {
    this.line = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return null;
  }
  send(body: Blob) {
    this.sent = body;
  }
  abort() {
    this.isAborted = true;
    this.status = 0;
    this.onloadend();
  }
  answer(status: number, body = '') {
    this.status = status;
    this.responseText = body;
    this.onloadend();
  }
}
