import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import { CellScreen, touchesScreen } from '../../../../src/explorer/terminal/output/cell-screen.ts';
import { abilitiesOf } from '../../../../src/explorer/terminal/output/terminal-abilities.ts';
import { DISPUTED, WORDS } from '../../../support/written-words.ts';
import { emulatorOf, feed } from './emulator.ts';

const ENTER = '\u001b[?1049h';
const START = '\u000f\u001b(B\u001b[r\u001b[m\u001b[H\u001b[J';

function screenOn({ isSlow = false, canSynchronize = true } = {}) {
  const sent: string[] = [];
  const write = (text: string, written?: () => void): boolean => {
    sent.push(text);
    written?.();
    return !isSlow;
  };
  const screen = new CellScreen({ write }, { columns: 20, rows: 4 }, { canScroll: true, canSynchronize });
  return { screen, sent, taken: () => sent.splice(0).join('|') };
}

function enteredScreen(options?: Parameters<typeof screenOn>[0]) {
  const all = screenOn(options);
  all.screen.write(`${ENTER}\u001b[?25l`);
  all.screen.drained();
  all.taken();
  return all;
}

/** A character that takes marks, another one for each number. */
const letter = (index: number): string => String.fromCodePoint(0x4e00 + index);

describe('Cell output', () => {
  it('The cell output passes everything through before and after the alternate screen', () => {
    const { screen, taken } = screenOn();
    screen.write('a\u001b[2Kb\n');
    expect(taken()).toBe('a\u001b[2Kb\n');
    screen.write(`x${ENTER}`);
    expect(taken()).toBe(`x${ENTER}${START}\u001b[?25h`);
    screen.write('\u001b[?1049ly\u001b[31');
    expect(taken()).toBe('\u001b[?1049ly\u001b[31');
  });

  it('The cell output sends a frame of several writes as one, and nothing when nothing changed', () => {
    const { screen, sent } = enteredScreen();
    for (const part of ['\u001b[?2026h', 'abc', '\u001b[G\u001b[Kabd', '\u001b[?2026l']) screen.write(part);
    screen.write('\u001b[G\u001b[Kabd');
    expect(sent).toEqual(['abd']);
  });

  it('The cell output brackets a long frame when the terminal may support synchronized updates', () => {
    const text = Array.from({ length: 4 }, () => 'e\u0301\u0302\u0303\u0304'.repeat(20)).join('\n');
    const [knows, lacks] = [enteredScreen(), enteredScreen({ canSynchronize: false })];
    knows.screen.write(text);
    lacks.screen.write(text);
    expect(knows.taken()).toMatch(/^\u001b\[\?2026h[\s\S]+\u001b\[\?2026l$/);
    expect(lacks.taken()).not.toContain('2026');
  });

  it('The cell output limits the characters that it remembers, and draws the next frame whole after a reset', () => {
    const { screen, taken } = enteredScreen();
    const clusters = (count: number) => Array.from({ length: count }, (_, index) => `${letter(index)}\u0301`);
    for (const cluster of clusters(10_100)) screen.write(`\u001b[H${cluster}`);
    expect(taken()).toContain(START);
    screen.write('\u001b[Hx');
    expect(taken()).toBe('\rx ');
  });

  it('The cell output passes on unknown sequences, once and in order, before the frame', () => {
    const { screen, taken } = enteredScreen();
    screen.write('ab\u001b]52;c;YQ==\u0007cd\u001b[?2004h');
    expect(taken()).toBe('\u001b]52;c;YQ==\u0007\u001b[?2004habcd');
  });

  it('The cell output redraws everything after a sequence that could have touched the screen', () => {
    const { screen, taken } = enteredScreen();
    screen.write('ab');
    taken();
    screen.write('\u001b[2S');
    expect(taken()).toBe(`\u001b[2S\u001b[?25l${START}ab`);
  });

  it('The cell output does not wrap: a line that is too long pushes nothing down', () => {
    const { screen, taken } = enteredScreen();
    screen.write('a23456789012345678901\nb');
    expect(taken()).toBe('a2345678901234567891\nb');
  });

  it('The cell output completes a sequence that comes in two writes', () => {
    const { screen, taken } = enteredScreen();
    screen.write('a\u001b[3');
    screen.write('6mb');
    expect(taken()).toBe('a|\u001b[36mb\u001b[m');
  });

  it('The cell output shows and places the cursor as requested', () => {
    const { screen, taken } = enteredScreen();
    screen.write('abc\u001b[2G\u001b[?25h');
    expect(taken()).toBe('abc\b\b\u001b[?25h');
    screen.write('\u001b[?25l');
    expect(taken()).toBe('\u001b[?25l');
  });

  it('The cell output drops old frames on a slow terminal, and calls back for them once the newest is out', () => {
    const { screen, taken } = enteredScreen({ isSlow: true });
    const calls: string[] = [];
    expect(screen.write('one', () => calls.push('one'))).toBe(false);
    screen.write('\u001b[Gtwo', () => calls.push('two'));
    screen.write('\u001b[Gsix', () => calls.push('six'));
    expect(calls).toEqual(['one']);
    expect(taken()).toBe('one');
    screen.drained();
    expect(taken()).toBe('\rsix');
    expect(calls).toEqual(['one', 'two', 'six']);
  });

  it('The cell output leaves the alternate screen at once, however slow the terminal is', () => {
    const { screen, taken } = enteredScreen({ isSlow: true });
    screen.write('one');
    screen.write('\u001b[Gtwo\u001b[?25h');
    screen.write('\u001b[?1049l');
    expect(taken()).toBe('one|\u001b[?25h\u001b[?1049l');
  });

  it('The cell output calls back when nothing drains the terminal any longer', () => {
    const { screen } = enteredScreen({ isSlow: true });
    let isCalled = false;
    screen.write('one');
    screen.write('', () => {
      isCalled = true;
    });
    screen.closed();
    expect(isCalled).toBe(true);
  });

  it('The cell output redraws everything on request, and for a new size once there was time to draw for it', () => {
    const { screen, taken } = enteredScreen();
    screen.write('ab');
    taken();
    screen.repaint();
    expect(taken()).toBe(`\u001b[?25l${START}ab`);
    screen.resize({ columns: 10, rows: 3 });
    expect(taken()).toBe('');
    screen.write('\u001b[Gac');
    expect(taken()).toBe('');
    screen.settled();
    expect(taken()).toBe(`\u001b[?25l${START}ac`);
  });
});

describe('Character cluster of disputed width', () => {
  it.each([...WORDS, ...DISPUTED])(
    'A cluster of disputed width keeps its neighbours and leaves no remains of earlier text: %s',
    (_, text, cells) => {
      const emulator = emulatorOf(20, 4);
      const write = (sequence: string, written?: () => void): boolean => {
        feed(emulator, sequence);
        written?.();
        return true;
      };
      const screen = new CellScreen({ write }, { columns: 20, rows: 4 }, { canScroll: true, canSynchronize: true });
      const cell = (column: number): string => emulator.buffer.active.getLine(1)?.getCell(column)?.getChars() ?? '';
      const frame = (line: string): void => void screen.write(`\u001b[2;1H\u001b[K${line}`);
      screen.write(`${ENTER}\u001b[?25l`);
      for (const before of ['xxxxxxxxxx', '', '\u6f22\u6f22\u6f22\u6f22\u6f22'])
        for (const after of ['!?', '!?xxxxxxx']) {
          frame(before);
          frame(`<${sanitize(text)}${after}`);
          expect([cell(0), cell(1 + cells), cell(2 + cells)]).toEqual(['<', '!', '?']);
          // The same once more, beside something that has changed and with nothing else drawn.
          frame(`[${sanitize(text)}${after}`);
          expect([cell(0), cell(1 + cells), cell(2 + cells)]).toEqual(['[', '!', '?']);
          const drawn = Array.from({ length: cells }, (_none, column) => cell(1 + column));
          expect(drawn.filter(character => before.includes(character) && !text.includes(character)).join('')).toBe('');
        }
    },
  );
});

describe('Sequences passed through the cell output', () => {
  it.each([
    '\u001b]0;title\u0007',
    '\u001b[?2004h',
    '\u001b[?1000;1006h',
    '\u001b[?u',
    '\u001b[>1u',
    '\u001b[<u',
    '\u001b[c',
    '\u001b[6n',
    '\u001b[2 q',
    '\u001bPtmux;\u001b\u001b]52;c;YQ==\u0007\u001b\\',
    '\u0007',
  ])('A passed sequence leaves the screen unchanged: %j', sequence => expect(touchesScreen(sequence)).toBe(false));

  it.each([
    '\u001b[2S',
    '\u001b[L',
    '\u001b[3;5r',
    '\u001bc',
    '\u001b8',
    '\u001b(0',
    '\u001b[?6h',
    '\u001b[?3l',
    '\u001b[?25;6h',
    '\u001bPq#0\u001b\\',
    '\u000e',
  ])('A passed sequence may touch the screen: %j', sequence => expect(touchesScreen(sequence)).toBe(true));
});

describe('Terminal capabilities', () => {
  it.each([
    ['xterm-256color', true, true],
    ['tmux-256color', true, true],
    ['screen', true, false],
    ['linux', true, false],
    ['vt100', true, false],
    ['vt52', false, false],
    ['ansi', false, false],
    ['dumb', false, false],
    ['', false, false],
    ['something-new', false, true],
  ])('The terminal capabilities follow from the name of the terminal: %s', (TERM, canScroll, canSynchronize) => {
    expect(abilitiesOf({ TERM })).toEqual({ canScroll, canSynchronize });
  });

  it('The terminal capabilities of tmux that calls itself screen include synchronized updates', () => {
    expect(abilitiesOf({ TERM: 'screen-256color', TMUX: '/tmp/tmux' }).canSynchronize).toBe(true);
  });
});
