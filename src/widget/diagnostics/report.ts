// Prints a diagnosis to the console.
import type { Diagnosis } from '../../protocol/page-api/page-api.ts';

export function printReport({ ok, findings, environment }: Diagnosis): void {
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const summary = findings.length === 0 ? 'nothing found' : ok ? `${count}, no errors` : count;
  console.group(`[platform] doctor: ${summary}`);
  if (findings.length > 0) {
    console.table(findings.map(({ severity, code, message, cure }) => ({ severity, code, message, cure })));
  }
  for (const { code, detail } of findings) if (detail) console.log(`${code}: ${detail}`);
  console.log(environment);
  console.groupEnd();
}
