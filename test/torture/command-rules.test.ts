import { expect, it } from 'vitest';
import { falseInRun } from './faults/command-rules.ts';

const sound = { code: 0, stdout: '{"a":1}\n{"b":2}\n', stderr: '', files: '', elapsedMs: 5, isLate: false };
const late = { ...sound, code: 4, stderr: 'the node did not answer in 2 s' };

it('A command that ended early may have printed only the beginning of what the sound node sent', () => {
  expect(falseInRun({ ...late, stdout: '{"a":1}\n' }, sound)).toEqual([]);
  expect(falseInRun({ ...late, stdout: '{"c":1}\n' }, sound)).toEqual(['it ends with 4 and prints what no node said']);
});

it('A command that ended early may have printed another record of the node, if the node sent it', () => {
  expect(falseInRun({ ...late, stdout: '{"c":1}\n' }, sound, false)).toEqual([]);
});
