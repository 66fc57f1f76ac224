import { AnswerError } from './answer-error.ts';

/** DuckDB in this process: 70 MB that an explorer does not need, so it is installed apart and loaded on first use. */
export type Engine = typeof import('@duckdb/node-api');

/** Throws AnswerError where it is not installed, or cannot be loaded on this machine. */
export async function loadEngine(load: () => Promise<Engine> = () => import('@duckdb/node-api')): Promise<Engine> {
  try {
    return await load();
  } catch (error) {
    throw new AnswerError(
      isMissing(error)
        ? 'this needs DuckDB, which is not installed'
        : `DuckDB cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      'install it beside blockglass: npm install -g @duckdb/node-api',
    );
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));
