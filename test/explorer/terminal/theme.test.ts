import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROFILE_COLOURS } from '../../../src/base/settings/settings.ts';
import { sanitize } from '../../../src/base/text/safe-text.ts';
import type { Style } from '../../../src/explorer/core/line.ts';
import { paint } from '../../../src/explorer/terminal/paint.ts';
import {
  currentTheme,
  detectDisplaySupport,
  PALETTES,
  type Palette,
  THEMES,
} from '../../../src/explorer/terminal/theme.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { press, startSession } from '../support/fake-world.ts';
import { overlayOf } from '../support/layers.ts';
import { contrastOf, looksOf } from './colours.ts';

const UTF8 = { LANG: 'en_GB.UTF-8', TERM: 'xterm-256color' };

describe('Terminal detection', () => {
  it.each([
    [UTF8, { hasColour: true, isUtf8: true }],
    [
      { ...UTF8, NO_COLOR: '1' },
      { hasColour: false, isUtf8: true },
    ],
    [
      { ...UTF8, NO_COLOR: '' },
      { hasColour: true, isUtf8: true },
    ],
    [
      { ...UTF8, TERM: 'dumb' },
      { hasColour: false, isUtf8: true },
    ],
    [
      { ...UTF8, TERM: 'vt100' },
      { hasColour: false, hasManyColours: false, isUtf8: false },
    ],
    [
      { ...UTF8, TERM: 'cygwin' },
      { hasColour: true, hasManyColours: false },
    ],
    [
      { ...UTF8, TERM: 'xterm-16color' },
      { hasColour: true, hasManyColours: false },
    ],
    [
      { ...UTF8, TERM: 'tmux-256color' },
      { hasColour: true, hasManyColours: true },
    ],
    [{ ...UTF8, COLORFGBG: '15;0' }, { background: 'dark' }],
    [{ ...UTF8, COLORFGBG: '0;default;15' }, { background: 'light' }],
    [{ ...UTF8, COLORFGBG: '0;7' }, { background: 'light' }],
    [{ ...UTF8, COLORFGBG: '7;8' }, { background: 'dark' }],
    [{ ...UTF8, COLORFGBG: '0;default' }, { background: undefined }],
    [{ ...UTF8, COLORFGBG: '0;231' }, { background: undefined }],
    [{ LANG: 'C' }, { hasColour: true, isUtf8: false }],
    [{}, { hasColour: true, isUtf8: false }],
    [
      { LANG: 'en_GB.utf8', LC_ALL: 'POSIX' },
      { hasColour: true, isUtf8: false },
    ],
    [
      { LANG: 'C', LC_CTYPE: 'C.UTF-8' },
      { hasColour: true, isUtf8: true },
    ],
  ])('The terminal with environment %j is detected as %j', (env, facts) =>
    expect(detectDisplaySupport(env)).toMatchObject(facts),
  );

  it('The terminal has no colour when none is wanted', () => {
    expect(detectDisplaySupport(UTF8, false).hasColour).toBe(false);
  });
});

const NAMES = ['auto', 'dark', 'light', 'contrast', 'mono'] as const;

/** Backgrounds that people have: black and white, and those of VS Code, Solarized, Dracula, GNOME and Ubuntu. */
const DARK = ['#000000', '#1e1e1e', '#002b36', '#282a36', '#2e3436', '#300a24'];
const LIGHT = ['#ffffff', '#fdf6e3'];

const OF_STATUS = ['good', 'pending', 'bad', 'quiet'] as const;

/** The brackets of the tab shown vanish in its colour on purpose: they are for terminals without colours. */
const readable = (palette: Palette) => Object.entries(palette).filter(([style]) => style !== 'tab-edge');

describe('Theme', () => {
  it.each([
    ['dark', DARK, 4.5],
    ['light', LIGHT, 4.5],
    ['contrast', [...DARK, ...LIGHT], 7],
    ['auto', [...DARK, ...LIGHT], 4.5],
  ] as const)('The theme %s is readable on %j: the contrast is at least %d', (name, backgrounds, least) => {
    for (const [style, sgr] of readable(PALETTES[name]))
      for (const background of backgrounds) {
        const { foreground = contrastOf('#000000', background) < 10 ? '#ffffff' : '#000000', ...look } = looksOf(sgr);
        expect(contrastOf(foreground, look.background ?? background), `${style} on ${background}`).toBeGreaterThan(
          least,
        );
      }
  });

  it.each([
    ['auto', 4.5],
    ['dark', 4.5],
    ['light', 4.5],
    ['contrast', 7],
  ] as const)(
    'The theme %s is readable on its bars, whatever the terminal background: contrast at least %d',
    (name, least) => {
      for (const [bar, styles] of Object.entries(THEMES[name].utf8.backgrounds))
        for (const [style, sgr] of readable(styles)) {
          const { foreground, background, isReversed } = looksOf(sgr);
          if (!isReversed)
            expect(contrastOf(foreground ?? '', background ?? ''), `${style} on ${bar}`).toBeGreaterThan(least);
        }
    },
  );

  it.each(NAMES)('The theme %s shows the selected row by its marks and its own background', name => {
    const { styles, backgrounds } = THEMES[name].utf8;
    expect(backgrounds.selection.plain).not.toBe(styles.plain);
    expect(backgrounds.selection.plain).not.toBe(backgrounds.title.plain === '7' ? '' : backgrounds.title.plain);
  });

  it.each(NAMES)('The theme %s shows the name of a node in each colour so that it is readable anywhere', name => {
    for (const colour of PROFILE_COLOURS) {
      const look = looksOf(PALETTES[name][`node-${colour}`]);
      if (look.isReversed) continue;
      expect(contrastOf(look.foreground ?? '', look.background ?? ''), colour).toBeGreaterThan(4.5);
    }
  });

  it.each(['auto', 'dark', 'light'] as const)(
    'The theme %s distinguishes the four tones of a status by colour',
    name => {
      expect(new Set(OF_STATUS.map(style => PALETTES[name][style])).size).toBe(4);
    },
  );

  it('The theme mono distinguishes the four tones of a status without colour', () => {
    expect(new Set(OF_STATUS.map(style => PALETTES.mono[style])).size).toBe(4);
  });

  it.each(NAMES)('The theme %s marks the selected line', name => {
    expect(looksOf(PALETTES[name].mark).isReversed).toBe(true);
  });

  it.each(NAMES)('The theme %s has no sequence except those of its styles, whatever is drawn', name => {
    const own = new Set(Object.values(PALETTES[name]));
    const spans = fc.array(
      fc.record({
        text: fc.string({ unit: anyCharacter }).map(text => sanitize(text)),
        style: fc.constantFrom<Style>(...styleNames),
      }),
    );
    fc.assert(
      fc.property(spans, fc.constantFrom('utf8', 'ascii'), (line, charset) => {
        const drawn = paint(line, THEMES[name][charset]);
        for (const [, sgr = ''] of drawn.matchAll(/\u001b\[([\d;]*)m/g)) expect(sgr === '0' || own.has(sgr)).toBe(true);
        if (charset === 'ascii') expect(drawn).toMatch(/^[\x1b\x20-\x7e]*$/);
      }),
    );
  });

  it.each(NAMES)('The theme %s changes no word', name => {
    const line = styleNames.map(style => ({ text: sanitize(`${style} `), style }));
    const words = paint(line, THEMES[name].utf8).replaceAll(/\u001b\[[\d;]*m/g, '');
    expect(words).toBe(line.map(({ text }) => text).join(''));
  });

  it('The theme without colours has none', () => {
    for (const sgr of Object.values(PALETTES.mono)) expect(['', '1', '2', '4', '1;4', '7', '1;7']).toContain(sgr);
  });
});

const styleNames = [
  'plain',
  'strong',
  'quiet',
  'good',
  'pending',
  'bad',
  'accent',
  'selected',
  'mark',
  'node-green',
  'node-red',
] as const satisfies readonly Style[];

describe('Theme and charset of the explorer', () => {
  it('The theme and charset are changed from the command line, at once, and back', async () => {
    const { session } = await startSession();
    const shown = () => currentTheme(session.state());
    expect(shown()).toBe(THEMES.auto.utf8);
    type(session, 'theme light');
    expect(shown()).toBe(THEMES.light.utf8);
    type(session, 'charset ascii');
    expect(shown()).toBe(THEMES.light.ascii);
    type(session, 'theme auto');
    type(session, 'charset auto');
    expect(shown()).toBe(THEMES.auto.utf8);
  });

  it('The command line lists the valid themes and charsets when another one is requested', async () => {
    const { session } = await startSession();
    type(session, 'theme pink');
    expect(overlayOf(session.state())).toMatchObject({
      problem: 'theme is one of auto, dark, light, contrast, mono, not "pink"',
    });
  });

  it('The theme has no colour when none is wanted, unless the user chooses one', async () => {
    const { session } = await startSession({ terminal: detectDisplaySupport({ ...UTF8, NO_COLOR: '1' }) });
    expect(currentTheme(session.state())).toBe(THEMES.mono.utf8);
    type(session, 'theme dark');
    expect(currentTheme(session.state())).toBe(THEMES.dark.utf8);
  });

  it('The theme uses only the eight colours on a terminal that takes others for blinking', async () => {
    const { session } = await startSession({ terminal: detectDisplaySupport({ ...UTF8, TERM: 'vt220' }) });
    type(session, 'theme contrast');
    const { styles, backgrounds } = currentTheme(session.state());
    expect(JSON.stringify([styles, backgrounds])).not.toMatch(/[34]8;5/);
    expect(styles).toMatchObject({ tab: '1;7', pending: '30;43', accent: '35', quiet: '2', head: '1' });
  });

  it('The charset is ASCII when the locale has no character encoding, unless the user chooses one', async () => {
    const { session } = await startSession({ terminal: detectDisplaySupport({ TERM: 'xterm' }) });
    expect(currentTheme(session.state()).isAscii).toBe(true);
    type(session, 'charset utf-8');
    expect(currentTheme(session.state()).isAscii).toBe(false);
  });
});

function type(session: Awaited<ReturnType<typeof startSession>>['session'], line: string): void {
  press(session, ':');
  session.paste(line);
  press(session, 'enter');
}
