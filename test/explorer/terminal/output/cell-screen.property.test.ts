import { describe, expect, it } from 'vitest';
import { type RunResult, runFrames, runSlowly } from './run.ts';

const FRAMES = 40;

const differencesOf = (run: (seed: number) => RunResult, runs: number): readonly string[] =>
  Array.from({ length: runs }, (_, seed) => run(seed).differences)
    .flat()
    .slice(0, 3);

describe('Terminal behind the cell output', () => {
  it('The terminal shows after every frame what it would show without the cell output', () => {
    expect(differencesOf(seed => runFrames(seed, FRAMES), 100)).toEqual([]);
  });

  it('The terminal shows the same with the cell output when its size changes between frames', () => {
    expect(differencesOf(seed => runFrames(1_000 + seed, FRAMES, 0.2), 50)).toEqual([]);
  });

  it('A slow terminal misses frames but shows none in part, and the last one in the end', () => {
    expect(differencesOf(seed => runSlowly(2_000 + seed, FRAMES), 50)).toEqual([]);
  });

  it('A slow terminal whose size changes shows the last frame in the end', () => {
    expect(differencesOf(seed => runSlowly(3_000 + seed, FRAMES, 0.1), 50)).toEqual([]);
  });
});
