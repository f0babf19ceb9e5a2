// A fake XMLHttpRequest for tests of uploads in pages.
import { expect } from 'vitest';
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

/**
 * Cuts the first request with the bytes `0123456789` after 6 of them, of which 4 have arrived. Checks and answers the second
 * one. Returns the first one.
 */
export async function cutAndResume(): Promise<FakeRequest> {
  const first = await FakeRequest.sent(0);
  first.upload.onprogress?.({ loaded: 6 });
  first.answer(0);
  const second = await FakeRequest.sent(1);
  expect([second.line, second.headers, await second.sent?.text()]).toEqual([
    'PATCH /u',
    { 'content-type': 'application/offset+octet-stream', 'upload-offset': '4' },
    '456789',
  ]);
  second.upload.onprogress?.({ loaded: 3 });
  second.answer(204);
  return first;
}
