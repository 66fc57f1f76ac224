import type { FeeQuestion } from '../../explain/statement/fee-question.ts';
import type { SessionState } from '../model/state.ts';
import { madeStatement, type StatementView } from '../model/statement.ts';
import { lastTop, newestTop, statementHeight } from '../model/statement-lines.ts';
import { questionHere, questionOf } from '../model/statement-question.ts';
import type { KeyIn } from './place.ts';
import { scrolled } from './scrolled.ts';
import { withNotice } from './transitions.ts';

/** Shows the statement and asks for what it is made of. */
const openStatement = (state: SessionState, question: FeeQuestion): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  overlay: null,
  statement: { question, isAll: false, top: 0, status: 'asking', ticket: state.ticket + 1, progress: null },
});

/** The statement that the row or the filters call for. */
export function openStatementHere(state: SessionState): SessionState {
  const question = questionHere(state);
  return question === undefined ? state : openStatement(state, question);
}

/** The statement of an id that was pasted or typed. */
export function openStatementOf(state: SessionState, text: string, entity?: 'market' | 'party'): SessionState {
  const question = questionOf(state, text, entity);
  return question === undefined
    ? withNotice(state, 'a statement is of the id of a party or a market: hex digits', 'bad')
    : openStatement(state, question);
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
      const toggled = { ...view, isAll: !view.isAll };
      return withTop(state, toggled, newestTop({ ...state, statement: toggled }, toggled));
    }
    case 'reload':
      return askedAgain(openStatement(state, view.question), view);
    case 'back':
      return { ...state, statement: null };
  }
}

/** Every problem and note in full: beside the rows there is room for the first of them. */
function withAllSaid(state: SessionState, view: StatementView): SessionState {
  const shown = madeStatement(view, state.directory);
  if (shown === undefined) return state;
  const { statement, table } = shown;
  const parts = [[statement.span, ...table.totals], statement.problems, statement.notes].filter(
    part => part.length > 0,
  );
  const text = parts.map(part => part.join('\n')).join('\n\n');
  return { ...state, overlay: { kind: 'value', title: 'What is said of this statement', text, top: 0 } };
}

/** For the same epochs. */
const askedAgain = (state: SessionState, { isAll }: StatementView): SessionState => ({
  ...state,
  statement: state.statement && { ...state.statement, isAll },
});

const withTop = (state: SessionState, view: StatementView, top: number): SessionState => ({
  ...state,
  statement: { ...view, top },
});
