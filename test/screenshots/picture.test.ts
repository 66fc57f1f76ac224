import { describe, expect, it } from 'vitest';
import { animationOf } from './animation.ts';
import { cell, row } from './cells.ts';
import { pictureOf } from './picture.ts';
import { masked } from './shot.ts';

const caption = { bar: 'blockglass --node <x>', about: 'one & all' };
const texts = (svg: string) => [...svg.matchAll(/<text x=[^\n]*<\/text>/g)].map(([element]) => element);

describe('Screenshot picture', () => {
  it('The picture has a text for each run, as long as its cells', () => {
    const svg = pictureOf([row('  two words'), row('x', { bold: true, underline: true, fg: 'ansi-2' })], caption);
    expect(texts(svg)).toEqual([
      '<text x="18" y="13" textLength="81" lengthAdjust="spacingAndGlyphs">two words</text>',
      '<text x="0" y="30" textLength="9" lengthAdjust="spacingAndGlyphs" class="b u" style="fill:#57c26a">x</text>',
    ]);
  });

  it('The picture gives a wide character the room of two cells', () => {
    const svg = pictureOf([[cell('界', { width: 2 }), cell('', { width: 0 }), cell('a')]], caption);
    expect(texts(svg)).toEqual([
      '<text x="0" y="13" textLength="18" lengthAdjust="spacingAndGlyphs">界</text>',
      '<text x="18" y="13" textLength="9" lengthAdjust="spacingAndGlyphs">a</text>',
    ]);
  });

  it('The picture draws the background before the text', () => {
    const svg = pictureOf([row('ab', { bg: '#405060' })], caption);
    expect(svg).toMatch(/<rect x="0" y="0" width="18" height="17" fill="#405060"\/>\n<text x="0"/);
  });

  it('The picture is as large as its cells, with a frame around them', () => {
    expect(pictureOf([row('ab'), row('cd')], caption)).toContain('width="42" height="90" viewBox="0 0 42 90"');
  });

  it('The picture has valid XML text in the screen, the bar and the title', () => {
    const svg = pictureOf([row('<a href="x">&')], caption);
    expect(svg).toContain('>&lt;a href="x"&gt;&amp;</text>');
    expect(svg).toContain('>blockglass --node &lt;x&gt;</text>');
    expect(svg).toContain('<title>one &amp; all</title>');
  });

  it('The picture shows a mark for characters that XML does not allow', () => {
    const svg = pictureOf([[cell('\u001b'), cell('\ufffe'), cell('\ud800'), cell('𝟙')]], caption);
    expect(texts(svg).map(text => />(.*)</.exec(text)?.[1])).toEqual(['\ufffd', '\ufffd', '\ufffd', '𝟙']);
  });
});

describe('Screenshot animation', () => {
  const svg = animationOf(
    [
      { shot: [row('one')], seconds: 1 },
      { shot: [row('two')], seconds: 2 },
      { shot: [row('three')], seconds: 1 },
    ],
    caption,
  );

  it('The animation shows each screen for its time, one at a time, in a loop', () => {
    expect(svg).toContain('.s{animation:4s step-end infinite}');
    expect(svg.match(/@keyframes.*/g)).toEqual([
      '@keyframes s0{0%{visibility:visible}25%{visibility:hidden}}',
      '@keyframes s1{0%{visibility:hidden}25%{visibility:visible}75%{visibility:hidden}}',
      '@keyframes s2{0%{visibility:hidden}75%{visibility:visible}}',
    ]);
  });

  it('The animation shows the first screen where motion is off', () => {
    expect(svg.match(/<g class="s".*/g)).toEqual([
      '<g class="s" style="animation-name:s0">',
      '<g class="s" style="animation-name:s1" visibility="hidden">',
      '<g class="s" style="animation-name:s2" visibility="hidden">',
    ]);
    expect(svg).toContain('@media(prefers-reduced-motion:reduce){.s{animation:none}}');
  });
});

describe('Screenshot mask', () => {
  it('The mask changes the hidden text, and no styles', () => {
    const shot = [row('in /tmp/a1 here', { bold: true })];
    expect(masked(shot, { hidden: '/tmp/a1', shown: '/home/y' })).toEqual([row('in /home/y here', { bold: true })]);
  });

  it('The mask is as long as the text it hides', () => {
    expect(() => masked([], { hidden: 'ab', shown: 'abc' })).toThrow('abc is not as long as ab');
  });
});
