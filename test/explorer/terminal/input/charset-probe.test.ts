import { describe, expect, it } from 'vitest';
import { needsProbe, probeCharset } from '../../../../src/explorer/terminal/input/charset-probe.ts';

describe('a terminal', () => {
  it.each([
    [{ TERM: 'xterm-256color' }, true],
    [{ TERM: 'screen', LANG: '' }, true],
    [{ TERM: 'xterm', LANG: 'C' }, false],
    [{ TERM: 'xterm', LC_ALL: 'POSIX' }, false],
    [{ TERM: 'xterm', LANG: 'en_GB.UTF-8' }, false],
    [{ TERM: 'xterm', LC_CTYPE: 'de_DE.ISO-8859-1' }, false],
    [{ TERM: 'dumb' }, false],
    [{ TERM: 'vt100' }, false],
    [{ TERM: 'linux' }, false],
    [{}, false],
  ])('of %j is asked for its characters: %s', (env, isAsked) => expect(needsProbe(env)).toBe(isAsked));
});

function probe() {
  const written: string[] = [];
  const found: boolean[] = [];
  const { promise: deadline, resolve: pass } = Promise.withResolvers<void>();
  const asked = probeCharset({
    write: sequence => void written.push(sequence),
    wait: () => deadline,
    onFound: isUtf8 => void found.push(isUtf8),
  });
  return { written, found, pass, asked };
}

describe('the question for characters', () => {
  it('is one write on the alternate screen, which erases what it has drawn', () => {
    expect(probe().written).toEqual(['\u001b[?1049h\u001b[6;1H\u00e9\u001b[6n\r\u001b[K']);
  });

  it.each([
    [2, true],
    [3, false],
    [1, false],
  ])('is answered by a cursor in column %i: %s', (column, isUtf8) => {
    const { asked, found } = probe();
    asked.answer(column);
    expect(found).toEqual([isUtf8]);
  });

  it('takes the first answer, and none behind the deadline', async () => {
    const once = probe();
    once.asked.answer(2);
    once.asked.answer(3);
    expect(once.found).toEqual([true]);
    const late = probe();
    late.pass();
    await late.asked.settled;
    late.asked.answer(2);
    expect(late.found).toEqual([]);
  });

  it('is over with its answer', async () => {
    const { asked } = probe();
    asked.answer(2);
    await asked.settled;
  });
});
