import { describe, expect, it } from 'vitest';
import { copyToTerminal } from '../../src/ui/clipboard.ts';

function copied(text: string, env: NodeJS.ProcessEnv = {}) {
  const written: string[] = [];
  const outcome = copyToTerminal(text, 'the value', env, sequence => written.push(sequence));
  return { outcome, written: written.join('') };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a copy', () => {
  it('is an OSC 52 sequence with the text in base64', () => {
    const { outcome, written } = copied('käse\u001b[2J\n');
    expect(written).toBe(`\u001b]52;c;${base64('käse\u001b[2J\n')}\u0007`);
    expect(outcome).toEqual({ isDone: true, message: "the value sent to your terminal's clipboard" });
  });

  it('goes through tmux, with every escape doubled, and names the setting it needs', () => {
    const { outcome, written } = copied('x', { TMUX: '/tmp/tmux-1/default,1,0', TERM: 'screen-256color' });
    expect(written).toBe(`\u001bPtmux;\u001b\u001b]52;c;${base64('x')}\u0007\u001b\\`);
    expect(outcome.message).toContain('set -g allow-passthrough on');
  });

  it('goes through screen in pieces that it takes', () => {
    const text = 'a long text '.repeat(400);
    const { written } = copied(text, { TERM: 'screen' });
    const parts = written.split('\u001b\\').slice(0, -1);
    expect(parts.every(part => part.startsWith('\u001bP') && part.length <= 768)).toBe(true);
    expect(parts.map(part => part.slice(2)).join('')).toBe(`\u001b]52;c;${base64(text)}\u0007`);
  });

  it('that is too large is refused, not cut, and nothing is written', () => {
    const { outcome, written } = copied('x'.repeat(60_000));
    expect(written).toBe('');
    expect(outcome).toEqual({
      isDone: false,
      message: 'the value is too large for the clipboard sequence (80000 of 74994 bytes): use the equal command',
    });
  });

  it('just small enough is written', () => {
    expect(copied('x'.repeat(56_244)).outcome.isDone).toBe(true);
    expect(copied('x'.repeat(56_247)).outcome.isDone).toBe(false);
  });
});
