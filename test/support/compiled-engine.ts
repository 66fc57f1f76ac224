import { spawnSync } from 'node:child_process';

/** Leaves the compiled code of the SQL engine's process in the cache: those that tests start are killed, and leave none. */
export const setup = (): void =>
  void spawnSync(process.execPath, ['src/answers/engine/engine-child.ts'], { stdio: 'ignore' });
