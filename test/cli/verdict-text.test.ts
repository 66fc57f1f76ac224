import { describe, expect, it } from 'vitest';
import { verdictText } from '../../src/cli/verdict-text.ts';
import type { NodeErrorDetail, Verdict } from '../../src/history/check/verdict.ts';

const refusal = (details: readonly NodeErrorDetail[]): Verdict => ({
  kind: 'refused',
  reason: 'The node sent an error.',
  findings: [],
  notes: [],
  entries: [],
  bytes: 0,
  sha256: '',
  nodeError: { code: 13, message: 'Internal error', details },
});

const detail = (members: Partial<NodeErrorDetail>): NodeErrorDetail => ({
  type: '',
  code: '',
  message: '',
  inner: '',
  json: '{}',
  ...members,
});

describe('Node messages in an export verdict', () => {
  it.each([
    [
      'a message, an inner text and a code',
      { message: 'failed to get', inner: 'no such file', code: '10000' },
      'failed to get: no such file (code 10000)',
    ],
    ['a message alone', { message: 'failed to get' }, 'failed to get'],
    ['an inner text alone', { inner: 'no such file' }, 'no such file'],
    ['a type alone', { type: 'vega.ErrorDetail' }, 'vega.ErrorDetail'],
  ])('The verdict of a failed export has %s, and nothing around missing parts', (_, members, told) => {
    expect(verdictText(refusal([detail(members)])).split('\n')).toEqual([
      'refused: The node sent an error.',
      `  the node: ${told}`,
      '  the node: Internal error (code 13)',
      '',
    ]);
  });

  it('The verdict of a failed export has the error itself when a detail says nothing', () => {
    expect(verdictText(refusal([detail({})]))).toBe(
      'refused: The node sent an error.\n  the node: Internal error (code 13)\n',
    );
  });
});
