import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type NewSnapshot, openRecorder, type Recorder } from '../../../src/memory/snapshots/index.ts';
import type { RecorderOptions } from '../../../src/memory/snapshots/recorder.ts';
import type { ReadList } from '../../../src/memory/snapshots/snapshot.ts';

/** A folder that is gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-snapshots-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const CHAIN = 'test-chain';
export const START_MS = Date.UTC(2026, 9, 1);
export const DAY_MS = 86_400_000;

/** A recorder that is closed after the test. */
export function testRecorder(options: Partial<RecorderOptions> = {}): Recorder {
  const recorder = openRecorder({
    folder: options.folder ?? testFolder(),
    chainId: CHAIN,
    nowMs: () => START_MS,
    ...options,
  });
  onTestFinished(() => {
    try {
      recorder.close();
    } catch {
      // The test has closed it.
    }
  });
  return recorder;
}

export const readList = (list: string, records: readonly string[], scope = ''): ReadList => ({
  list,
  scope,
  kind: 'read',
  records,
});

export const madeSnapshot = (lists: NewSnapshot['lists'], facts: Partial<NewSnapshot> = {}): NewSnapshot => ({
  takenMs: START_MS,
  endedMs: START_MS + 1000,
  node: 'http://127.0.0.1:3008',
  blockHeight: '1000',
  blockTimeNs: null,
  genesisTime: '2026-01-01T00:00:00Z',
  ...facts,
  lists,
});
