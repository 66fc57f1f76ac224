import { describe, expect, it } from 'vitest';
import { terminalClipboard } from '../../../src/explorer/terminal/clipboard.ts';

function copied(text: string, env: NodeJS.ProcessEnv = {}) {
  const written: string[] = [];
  const clipboard = terminalClipboard(env, sequence => written.push(sequence));
  return { message: clipboard.send(text, 'the value'), written: written.join(''), mostBytes: clipboard.mostBytes };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const plain = (text: string): string => `\u001b]52;c;${base64(text)}\u0007`;

const pieces = (written: string): readonly string[] => written.split('\u001b\\').slice(0, -1);

describe('Clipboard copy', () => {
  it('A copy is an OSC 52 sequence with the text in base64', () => {
    const { message, written } = copied('käse\u001b[2J\n', { TERM: 'xterm-256color' });
    expect(written).toBe(plain('käse\u001b[2J\n'));
    expect(message).toBe("the value sent to your terminal's clipboard");
  });

  it.each([
    { TMUX: '/tmp/tmux-1/default,1,0', TERM: 'screen-256color' },
    // Beyond ssh.
    { TERM: 'tmux-256color' },
  ])('A copy is sent to tmux both plain and with every escape doubled, with the setting that tmux needs: %j', env => {
    const { message, written } = copied('x', env);
    expect(written).toBe(`${plain('x')}\u001bPtmux;\u001b\u001b]52;c;${base64('x')}\u0007\u001b\\`);
    expect(message).toContain('tmux needs: set -g set-clipboard on');
  });

  it('A copy goes through screen in pieces that it accepts', () => {
    const text = 'a long text '.repeat(400);
    const { written, message } = copied(text, { STY: '1.pts', TERM: 'screen' });
    const parts = pieces(written);
    expect(parts.every(part => part.startsWith('\u001bP') && part.length <= 768)).toBe(true);
    expect(parts.map(part => part.slice(2)).join('')).toBe(plain(text));
    expect(message).not.toContain('tmux');
  });

  it('A copy over ssh, through tmux or screen, is sent in one piece that both accept, or not at all', () => {
    const env = { TERM: 'screen-256color' };
    const { mostBytes } = copied('', env);
    const { written, message } = copied('x'.repeat(mostBytes), env);
    expect(pieces(written).length).toBe(1);
    expect(pieces(copied('x'.repeat(mostBytes + 3), env).written).length).toBe(2);
    expect(message).toContain('tmux needs');
  });

  it('A copy is no larger than terminals accept', () => {
    const { mostBytes } = copied('');
    expect(base64('x'.repeat(mostBytes)).length).toBeLessThanOrEqual(74_994);
    expect(base64('x'.repeat(mostBytes + 3)).length).toBeGreaterThan(74_994);
  });
});
