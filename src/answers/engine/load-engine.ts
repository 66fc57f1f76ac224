import { createRequire } from 'node:module';
import { AnswerError } from './answer-error.ts';

/** Whether it is installed; does not load it. */
export function isEngineInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

/** Throws AnswerError if it is not installed. */
export function requireEngine(isThere = isEngineInstalled()): void {
  if (!isThere) throw new AnswerError('this needs DuckDB, which is not installed', INSTALL_HINT);
}

/** DuckDB has 70 MB that the explorer does not need, so it is installed separately. It runs in a process of its own. */
export type Engine = typeof import('@duckdb/node-api');

/** Throws AnswerError if it cannot be loaded on this machine. */
export async function loadEngine(load: () => Promise<Engine> = () => import('@duckdb/node-api')): Promise<Engine> {
  try {
    return await load();
  } catch (error) {
    throw new AnswerError(
      `DuckDB cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      INSTALL_HINT,
    );
  }
}

const INSTALL_HINT = 'install it next to blockglass: npm install -g @duckdb/node-api';
