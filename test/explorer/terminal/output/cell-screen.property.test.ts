import { describe, expect, it } from 'vitest';
import { type RunResult, runFrames, runSlowly } from './run.ts';

const FRAMES = 40;

const differencesOf = (run: (seed: number) => RunResult, runs: number): readonly string[] =>
  Array.from({ length: runs }, (_, seed) => run(seed).differences)
    .flat()
    .slice(0, 3);

describe('a terminal behind the cell output', () => {
  it('shows after every frame what it would show without it', () => {
    expect(differencesOf(seed => runFrames(seed, FRAMES), 100)).toEqual([]);
  });

  it('shows the same when its size changes between frames', () => {
    expect(differencesOf(seed => runFrames(1_000 + seed, FRAMES, 0.2), 50)).toEqual([]);
  });

  it('when it is slow misses frames but shows none in part, and the last one in the end', () => {
    expect(differencesOf(seed => runSlowly(2_000 + seed, FRAMES), 50)).toEqual([]);
  });

  it('when it is slow and its size changes shows the last frame in the end', () => {
    expect(differencesOf(seed => runSlowly(3_000 + seed, FRAMES, 0.1), 50)).toEqual([]);
  });
});
