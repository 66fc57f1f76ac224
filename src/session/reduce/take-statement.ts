import type { SessionState } from '../model/state.ts';
import { newestTop } from '../model/statement-lines.ts';
import type { Fact } from './action.ts';

type StatementFact = Extract<
  Fact,
  { readonly type: 'statement-progressed' | 'statement-arrived' | 'statement-failed' }
>;

/** Takes note of what came of a statement; of one that is not asked for any more it changes nothing. */
export function takeStatement(state: SessionState, fact: StatementFact): SessionState {
  const { statement } = state;
  if (statement?.status !== 'asking' || statement.ticket !== fact.ticket) return state;
  const { question, isAll } = statement;
  switch (fact.type) {
    case 'statement-progressed':
      return { ...state, statement: { ...statement, progress: fact.progress } };
    case 'statement-arrived': {
      const known = { question, isAll, top: 0, status: 'known', fetched: fact.fetched } as const;
      const shown = { ...state, statement: known };
      return { ...shown, statement: { ...known, top: newestTop(shown, known) } };
    }
    case 'statement-failed': {
      const { failure, atMs } = fact;
      const blockedUntilMs = Math.max(state.node.blockedUntilMs, failure.retryAtMs);
      const node = { ...state.node, blockedUntilMs, nowMs: Math.max(state.node.nowMs, atMs) };
      return { ...state, node, statement: { question, isAll, top: 0, status: 'failed', failure } };
    }
  }
}
