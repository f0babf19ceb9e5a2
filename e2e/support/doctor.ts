// The fixture of the tests of platform.doctor(): pages and proxies to diagnose, and expectations of findings.
import type { Page } from '@playwright/test';
import type { Diagnosis, Platform } from '../../src/protocol/page-api/page-api.ts';
import { type FindingCode, findings as table } from '../../src/widget/diagnostics/findings.ts';
import { type Intercept, startFaultProxy } from './faults/fault-proxy.ts';
import { test as base, expect } from './fixtures.ts';
import { pageHtml } from './host-page.ts';

interface PageOptions {
  path?: string;
  head?: string;
  csp?: string;
}
type Found = Diagnosis['findings'][number] & { diagnosis: Diagnosis };

export interface DoctorFixture {
  /** Loads a page without a policy and with this body, and returns the diagnosis. */
  diagnosePage(body: string, options?: PageOptions): Promise<Diagnosis>;
  /** Loads such a page, and expects this finding and no other. */
  find(code: FindingCode, cause: string | RegExp, body: string, options?: PageOptions): Promise<Found>;
  /** Diagnoses the current page again. */
  diagnoseAgain(): Promise<Diagnosis>;
  /** Diagnoses the current page again, and expects this finding and no other. */
  findAgain(code: FindingCode, cause: string | RegExp): Promise<Found>;
  /** Starts a proxy with this fault in front of the server. */
  proxy(fault: Intercept): Promise<{ url: string; chatUrl: string }>;
  /** The script tag with the server's script. */
  servedScript: string;
  /** The same with these attributes. */
  served(attributes: string): string;
  /** The static script with these attributes. */
  script(attributes?: string, url?: string): string;
}

export const diagnose = (page: Page) => page.evaluate(() => (window.platform as Platform).doctor());

export const test = base.extend<{ doctor: DoctorFixture }>({
  doctor: async ({ page, platform, site }, use) => {
    const open: { close(): Promise<void> }[] = [];
    const served = (attributes = '') =>
      `<script src="${platform.chatUrl}/webchat.js" ${attributes}></script>`;
    const diagnosePage = async (body: string, { path = '/page', head = '', csp }: PageOptions = {}) => {
      const headers: Record<string, string> = csp ? { 'content-security-policy': csp } : {};
      await page.goto(site.page(path, pageHtml(body, { head }), headers));
      return diagnose(page);
    };
    const foundIn = (diagnosis: Diagnosis, code: FindingCode, cause: string | RegExp): Found =>
      Object.assign({ diagnosis }, expectOnly(diagnosis, code, cause));
    await use({
      servedScript: served(),
      served,
      script: (attributes = '', url = platform.url) =>
        `<script src="${url}/webchat/webchat.js" ${attributes}></script>`,
      diagnoseAgain: () => diagnose(page),
      findAgain: async (code, cause) => foundIn(await diagnose(page), code, cause),
      diagnosePage,
      find: async (code, cause, body, options) => foundIn(await diagnosePage(body, options), code, cause),
      async proxy(fault) {
        const proxy = await startFaultProxy(platform.url, { intercept: fault });
        open.push(proxy);
        return proxy;
      },
    });
    await page.goto('about:blank');
    for (const each of open) await each.close();
  },
});

/** Expects one finding with this code that names the cause, with the remedy of the table. */
export function expectFinding({ ok, findings }: Diagnosis, code: FindingCode, cause: string | RegExp) {
  const [severity, , cure] = table[code];
  expect(findings).toContainEqual(expect.objectContaining({ code, severity, cure }));
  const [found] = findings.filter((finding) => finding.code === code);
  if (!found) throw new Error(`There is no finding ${code}.`);
  expect(found.message).toMatch(cause);
  if (severity === 'error') expect(ok).toBe(false);
  return found;
}

/** Expects this finding and no other. */
function expectOnly(diagnosis: Diagnosis, code: FindingCode, cause: string | RegExp) {
  const found = expectFinding(diagnosis, code, cause);
  expect(diagnosis.findings.map((finding) => finding.code)).toEqual([code]);
  return found;
}

export const noFindings = { ok: true, findings: [] };
export const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
