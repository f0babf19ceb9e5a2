// The job that exports the rows of a table to a file of the bot.
import { type ExportOptions, exportTable } from './export.ts';
import { type JobContext, tableOf } from './job-context.ts';

/** Returns false when it was stopped. */
export async function exportRows({ db, files, job, save, shouldContinue }: JobContext): Promise<boolean> {
  const options: ExportOptions & { last: number } = JSON.parse(job.input);
  const table = await db.read((tx) => tableOf(tx, job));
  let at = 0;
  let reported = 0;
  const { extension, contentType, bytes } = exportTable(db, table, options, (id) => {
    at = id;
  });
  /** Ends the file when the job is stopped, and stores the progress. */
  async function* withProgress(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (!(await shouldContinue())) throw new Stopped();
      const progress = Math.min(99, Math.floor((99 * at) / Math.max(1, options.last)));
      if (progress > reported) await db.write((tx) => save(tx, { progress }));
      reported = progress;
      yield chunk;
    }
    await db.write((tx) => save(tx, { status: 'finalizing', progress: 99 }));
  }
  try {
    // Named after the job, so that a job that is repeated after a restart writes the same file.
    const name = `tables/${table.record.name}/${job.id}.${extension}`;
    const outputFileId = await files.write(job.botId, name, contentType, withProgress());
    await db.write((tx) => save(tx, { outputFileId }));
    return true;
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}

class Stopped extends Error {}
