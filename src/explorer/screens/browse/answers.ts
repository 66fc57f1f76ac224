import { resourceById } from '../../../resources/registry.ts';
import type { ListAnswer } from './events.ts';
import { move, withNewRequest } from './list/pager.ts';
import { wholeAnswered } from './list/whole-list.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { pageArrived, pageFailed } from './page-events.ts';
import { withOtherMeaning } from './record/inspector.ts';
import { openTicket } from './record/meaning.ts';
import type { Browser, Meaning } from './state.ts';

/** The list after an answer; one to a request that is not open any more changes nothing. */
export function listAnswered(list: Browser, answer: ListAnswer, context: ListContext): ListStep {
  switch (answer.type) {
    case 'page-arrived':
      return pageArrived(list, answer, context);
    case 'page-failed':
      return pageFailed(list, answer, context);
    case 'page-slow':
      return { state: pageSlow(list, answer.ticket) };
    case 'whole-progressed':
    case 'whole-arrived':
    case 'whole-failed':
    case 'arrange-progressed':
    case 'arranged':
      return wholeAnswered(list, answer);
    case 'watch-due':
      return { state: watchDue(list) };
    case 'rested':
      return { state: { ...list, spokenOf: null } };
    case 'explained':
      return { state: withMeaningOf(list, answer.ticket, meaningOf(answer.explanation)) };
    case 'not-explained':
      return { state: withMeaningOf(list, answer.ticket, { status: 'failed', problem: answer.problem }) };
    case 'explanation-slow':
      return { state: withMeaningOf(list, answer.ticket, { status: 'asked', ticket: answer.ticket, isSlow: true }) };
  }
}

function pageSlow(list: Browser, ticket: number): Browser {
  const { loading } = list;
  return loading?.ticket === ticket ? { ...list, loading: { ...loading, isSlow: true } } : list;
}

const watchDue = (list: Browser): Browser =>
  list.watchS === 0 || list.loading !== null || list.page === null
    ? list
    : withNewRequest(list, (shown, id) => move(shown, 'reload', id));

const meaningOf = (explanation: Extract<ListAnswer, { readonly type: 'explained' }>['explanation']): Meaning =>
  explanation === null ? { status: 'none' } : { status: 'known', explanation, ticket: null };

function withMeaningOf(list: Browser, ticket: number, meaning: Meaning): Browser {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  if (resource === undefined || inspector === null || openTicket(inspector.meaning) !== ticket) return list;
  return { ...list, inspector: withOtherMeaning(resource, inspector, meaning) };
}
