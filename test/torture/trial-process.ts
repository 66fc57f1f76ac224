import { isMainThread } from 'node:worker_threads';
import type { FromTrial, Job } from './messages.ts';
import { SECTIONS } from './sections.ts';

// Bundled into one file this is also the file of the thread that checks an export.
if (isMainThread) process.once('message', (job: Job) => void tryAll(job));
else void import('../../src/history/check/follow-archive.ts');

/** Tries what it was told to and ends. What it does not catch ends it too, which is a finding of whoever started it. */
async function tryAll(job: Job): Promise<void> {
  const section = await SECTIONS[job.section]?.();
  if (section === undefined) throw new Error(`there is no section ${job.section}`);
  await section.run(job, {
    begins: index => tell({ kind: 'begins', index }),
    counts: (what, times = 1) => tell({ kind: 'counts', what, times }),
    finds: (index, what, isLate = false) => tell({ kind: 'finds', index, what, isLate }),
  });
  process.send?.({ kind: 'ends' } satisfies FromTrial, () => process.exit(0));
}

const tell = (message: FromTrial): void => {
  process.send?.(message);
};
