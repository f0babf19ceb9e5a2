// Limits the processor time of processes by a control group of Linux, which root may create: what a machine is on which the
// servers, and not the load beside them, are the limit.
import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Microseconds of a period. The default of Linux, 100 ms, would show in each response time. */
const period = 10_000;

/**
 * @param cores how much of one core each of the processes may use, such as 0.3
 * @returns removes the groups; the processes have to be over
 */
export async function limitProcessorTime(
  pids: readonly number[],
  cores: number,
): Promise<() => Promise<void>> {
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const quota = Math.round(period * cores);
  const folders = pids.map((pid) =>
    join('/sys/fs/cgroup', isUnified ? '' : 'cpu', `platform-webchat-bench-${pid}`),
  );
  for (const [n, folder] of folders.entries()) {
    await mkdir(folder);
    if (isUnified) await writeFile(join(folder, 'cpu.max'), `${quota} ${period}`);
    else {
      await writeFile(join(folder, 'cpu.cfs_period_us'), String(period));
      await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota));
    }
    await writeFile(join(folder, 'cgroup.procs'), String(pids[n]));
  }
  return async () => {
    for (const folder of folders) await rmdir(folder);
  };
}
