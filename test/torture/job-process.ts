import { type ChildProcess, fork } from 'node:child_process';
import type { FromTrial, Job } from './messages.ts';
import type { Report } from './section.ts';

const MAX_SAID = 2000;

/**
 * Runs a job in a process of its own. A process that crashes or takes too long is a finding, and a new one goes on
 * behind the trial it was at.
 */
export async function runJob(program: string, job: Job, patienceMs: number, report: Report): Promise<void> {
  let left = job.indexes;
  while (left.length > 0) {
    const last = await new JobProcess(program, { ...job, indexes: left }, patienceMs, report).ended;
    if (last === undefined) return;
    left = left.slice(Math.max(1, left.indexOf(last) + 1));
  }
}

class JobProcess {
  /** The trial that ended the process before it was done; undefined when it did all. */
  readonly ended: Promise<number | undefined>;
  readonly #child: ChildProcess;
  readonly #report: Report;
  readonly #patienceMs: number;
  #timer: NodeJS.Timeout | undefined;
  #at: number;
  #said = '';
  #isDone = false;
  #isLate = false;

  constructor(program: string, job: Job, patienceMs: number, report: Report) {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.ended = promise;
    this.#report = report;
    this.#patienceMs = patienceMs;
    this.#at = job.indexes[0] ?? 0;
    this.#child = fork(program, [], {
      // React's own checks would take most of the time.
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: ['--expose-gc', '--max-old-space-size=2048'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', chunk => {
        this.#said = `${this.#said}${chunk}`.slice(-MAX_SAID);
      });
    this.#child.on('message', (message: FromTrial) => this.#take(message));
    this.#child.on('close', (code, signal) => resolve(this.#close(code, signal)));
    this.#child.send(job);
    this.#waitAgain();
  }

  #take(message: FromTrial): void {
    this.#waitAgain();
    switch (message.kind) {
      case 'begins':
        this.#at = message.index;
        this.#report.begins(message.index);
        break;
      case 'counts':
        this.#report.counts(message.what, message.times);
        break;
      case 'finds':
        this.#report.finds(message.index, message.what, message.isLate);
        break;
      case 'ends':
        this.#isDone = true;
    }
  }

  #close(code: number | null, signal: NodeJS.Signals | null): number | undefined {
    clearTimeout(this.#timer);
    if (this.#isDone) return undefined;
    const how = this.#isLate ? `nothing was heard for ${this.#patienceMs / 1000} s` : `ended with ${signal ?? code}`;
    this.#report.finds(this.#at, `the process ${how}${this.#said === '' ? '' : `:\n${this.#said}`}`);
    return this.#at;
  }

  #waitAgain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#child.kill('SIGKILL');
    }, this.#patienceMs);
  }
}
