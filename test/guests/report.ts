/** What is tried, and whether it went as it should. */
export type Check<Subject> = readonly [what: string, holds: (subject: Subject) => Promise<boolean>];

/** Says line by line what was tried; counts what went wrong. */
export class Report {
  failed = 0;
  passed = 0;

  async try<Subject>([what, holds]: Check<Subject>, subject: Subject): Promise<void> {
    const startedMs = performance.now();
    let problem = '';
    const isRight = await holds(subject).catch((error: unknown) => {
      problem = error instanceof Error ? `\n${error.message}` : String(error);
      return false;
    });
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    this.say(isRight, `${what} (${seconds} s)${problem}`);
  }

  say(isRight: boolean, what: string): void {
    if (isRight) this.passed++;
    else this.failed++;
    console.log(`${isRight ? 'pass' : 'FAIL'}  ${what}`);
  }
}
