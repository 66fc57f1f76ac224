import { afterAll, beforeAll } from 'vitest';
import { Database, type DatabaseLimits } from '../../src/answers/engine/database.ts';

/**
 * One engine for all tests of a file that leave it as they found it: each engine is a process, which takes longer to
 * start than most of what it is asked.
 */
export function sharedEngine(limits: DatabaseLimits = {}): () => Database {
  let engine: Database | undefined;
  beforeAll(async () => {
    engine = await Database.open(limits);
  });
  afterAll(() => engine?.close());
  return () => {
    if (engine === undefined) throw new Error('the engine starts with the first test');
    return engine;
  };
}
