import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-code.ts';
import { reportResult } from '../../src/cli/export-result.ts';
import { DestinationError } from '../../src/history/plan/destination-error.ts';

async function linesOf(error: Error): Promise<readonly string[]> {
  const lines: string[] = [];
  const safe = async (text: string): Promise<void> => void lines.push(...text.trimEnd().split('\n'));
  const stderr: never = { safe } as never;
  const result = { kind: 'failed', error, partPath: '/out/a.zip.2.part', elapsedMs: 1 } as const;
  expect(await reportResult(result, { stdout: stderr, stderr })).not.toBe(EXIT.done);
  return lines;
}

test('The export result says once where the downloaded data is', async () => {
  const taken = '/out/a.zip was created by another program. The complete export is /out/a.zip.2.part: rename it';
  expect((await linesOf(new DestinationError(taken))).filter(line => line.includes('.2.part'))).toHaveLength(1);
  expect((await linesOf(new DestinationError('no space left'))).at(-1)).toBe('What arrived is in /out/a.zip.2.part.');
});
