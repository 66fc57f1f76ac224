import { type Caption, drawShot, sizeOf, windowAround } from './picture.ts';
import type { Shot } from './shot.ts';

export interface Scene {
  readonly shot: Shot;
  readonly seconds: number;
}

/**
 * Screens of one size one after the other, over and over. Where nothing moves, because the viewer cannot or somebody
 * asked for it, the first one is shown.
 */
export function animationOf(scenes: readonly Scene[], caption: Caption): string {
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const groups = scenes.flatMap(({ shot }, index) => [
    `<g class="s" style="animation-name:s${index}"${index === 0 ? '' : ' visibility="hidden"'}>`,
    ...drawShot(shot),
    '</g>',
  ]);
  const rules = [
    `.s{animation:${rounded(total)}s step-end infinite}`,
    ...keyframes(scenes, total),
    '@media(prefers-reduced-motion:reduce){.s{animation:none}}',
  ];
  return windowAround(sizeOf(scenes[0]?.shot ?? []), caption, groups, rules);
}

function keyframes(scenes: readonly Scene[], total: number): readonly string[] {
  let begun = 0;
  return scenes.map(({ seconds }, index) => {
    const [from, to] = [begun, begun + seconds].map(at => rounded((at * 100) / total));
    begun += seconds;
    const before = index === 0 ? '' : '0%{visibility:hidden}';
    const after = index === scenes.length - 1 ? '' : `${to}%{visibility:hidden}`;
    return `@keyframes s${index}{${before}${from}%{visibility:visible}${after}}`;
  });
}

const rounded = (number: number): number => Number(number.toFixed(2));
