import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size, the longest first: one that began as the last would run alone at the end. */
const LONG = [
  'flows/history.full',
  'flows/page-exports.full',
  'screenshots/stale.full',
  'flows/page-commands.full',
  'answers/report/report.full',
  'flows/halt.full',
  'cli/fetch-first.full',
  'flows/overlays.full',
  'explorer/screens/overview/overview-node.full',
  'flows/guest.full',
  'answers/audit/demo.full',
  'answers/report/demo.full',
  'history/store/fetch-nodes.full',
  'flows/record.full',
  'history/store/fetch-sums.full',
  'flows/check.full',
];

/** Begins with the files that take longest; of the others the larger ones go first, or those that took longer before. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter(name => !existsSync(join('test', `${name}.test.ts`)));
    if (gone.length > 0) throw new Error(`the list of long test files has names without a file: ${gone.join(', ')}`);
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex(name => moduleId.includes(`/test/${name}.`));
  return at < 0 ? LONG.length : at;
}
