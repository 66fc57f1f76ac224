import type { SessionState } from '../model/state.ts';
import { choiceOf, hasOtherEpochs, madeStatement, type StatementView } from '../model/statement.ts';
import { lastTop, newestTop, statementHeight } from '../model/statement-lines.ts';
import { type FeeSubject, subjectHere, subjectOf } from '../model/statement-question.ts';
import type { KeyIn } from './place.ts';
import { scrolled } from './scrolled.ts';
import { withNotice } from './transitions.ts';

/** Shows the statement and asks for what it is made of. */
const openStatement = (state: SessionState, { party, market, asset }: FeeSubject, isAll = false): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  overlay: null,
  requests: null,
  statement: {
    question: { party, market, asset, epochs: choiceOf(isAll) },
    ...{ isAll, top: 0, status: 'asking', ticket: state.ticket + 1, progress: null },
  },
});

/** The statement that the row or the filters call for. */
export function openStatementHere(state: SessionState): SessionState {
  const subject = subjectHere(state);
  return subject === undefined ? state : openStatement(state, subject);
}

/** The statement of an id that was pasted or typed. */
export function openStatementOf(state: SessionState, text: string, entity?: 'market' | 'party'): SessionState {
  const subject = subjectOf(state, text, entity);
  return subject === undefined
    ? withNotice(state, 'a statement is of the id of a party or a market: hex digits', 'bad')
    : openStatement(state, subject);
}

/** Keys of a statement. */
export function statementKey(state: SessionState, view: StatementView, action: KeyIn<'statement'>): SessionState {
  switch (action.type) {
    case 'move':
    case 'move-to':
      return withTop(
        state,
        view,
        scrolled(view.top, action, { height: statementHeight(state, view), last: lastTop(state, view) }),
      );
    case 'view-value':
      return withAllSaid(state, view);
    case 'toggle-epochs': {
      if (!hasOtherEpochs(view)) return openStatement(state, view.question, !view.isAll);
      const toggled = { ...view, isAll: !view.isAll };
      return withTop(state, toggled, newestTop({ ...state, statement: toggled }, toggled));
    }
    case 'reload':
      return openStatement(state, view.question, view.isAll);
    case 'back':
      return { ...state, statement: null };
  }
}

/** Every problem and note in full: beside the rows there is room for the first of them. */
function withAllSaid(state: SessionState, view: StatementView): SessionState {
  const shown = madeStatement(view, state.directory);
  if (shown === undefined) return state;
  const { statement, table } = shown;
  const parts = [[statement.span, statement.basis, ...table.totals], statement.problems, statement.notes].filter(
    part => part.length > 0,
  );
  const text = parts.map(part => part.join('\n')).join('\n\n');
  return { ...state, overlay: { kind: 'value', title: 'What is said of this statement', text, top: 0 } };
}

const withTop = (state: SessionState, view: StatementView, top: number): SessionState => ({
  ...state,
  statement: { ...view, top },
});
