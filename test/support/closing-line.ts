import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that says how it went: `1451 passed, 0 failed, 1 skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state));
    const count = (wanted: string): number => states.filter(state => state === wanted).length;
    // A file that could not be loaded has no tests to count, and an error outside of any test fails the run too.
    const broken = modules.filter(module => module.errors().length > 0).length + errors.length;
    console.log(`${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`);
  }
}
