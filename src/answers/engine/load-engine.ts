import { createRequire } from 'node:module';
import { AnswerError } from './answer-error.ts';

/** Whether it is installed; it is not loaded. */
export function isEngineThere(): boolean {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

/** DuckDB in this process: 70 MB that an explorer does not need, so it is installed apart and loaded on first use. */
export type Engine = typeof import('@duckdb/node-api');

/** Throws AnswerError where it is not installed, or cannot be loaded on this machine. */
export async function loadEngine(load: () => Promise<Engine> = () => import('@duckdb/node-api')): Promise<Engine> {
  try {
    return await load();
  } catch (error) {
    throw new AnswerError(...explained(error));
  }
}

function explained(error: unknown): [message: string, hint: string] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // An executable can require nothing but what is in it.
  if (code === 'ERR_UNKNOWN_BUILTIN_MODULE')
    return [
      'this needs DuckDB, which the executable cannot load',
      'install both: npm install -g blockglass @duckdb/node-api',
    ];
  const hint = 'install it beside blockglass: npm install -g @duckdb/node-api';
  if (/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code)) return ['this needs DuckDB, which is not installed', hint];
  return [`DuckDB cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, hint];
}
