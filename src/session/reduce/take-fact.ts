import { historyAfter } from '../../explorer/services/history/history.ts';
import { viewsAfter } from '../../explorer/services/views/views.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Fact } from '../model/action.ts';
import { withOtherMeaning } from '../model/inspector.ts';
import { openTicket } from '../model/meaning.ts';
import { move } from '../model/pager.ts';
import type { Meaning, SessionState } from '../model/state.ts';
import { nodeEvent } from './node-events.ts';
import { savedOrNot } from './save.ts';
import { directoryKnown } from './take-names.ts';
import { pageArrived, pageFailed } from './take-page.ts';
import { withBrowser, withNotice, withWish } from './transitions.ts';
import { takeWhole } from './whole-list.ts';

/** Takes note of what happened. A fact about a wish that is not open any more changes nothing. */
export function takeFact(state: SessionState, fact: Fact): SessionState {
  switch (fact.type) {
    case 'resized':
      return { ...state, screen: fact.screen };
    case 'ticked':
      return { ...state, node: { ...state.node, nowMs: fact.nowMs } };
    case 'noticed':
      return fact.inPlaceOf === undefined || fact.inPlaceOf === (state.notice?.text ?? '')
        ? withNotice(state, fact.text, fact.tone, fact.refused)
        : state;
    case 'charset-found': {
      const { looks } = state;
      return { ...state, looks: { ...looks, terminal: { ...looks.terminal, isUtf8: fact.isUtf8 } } };
    }
    case 'node-connected':
    case 'node-failed':
    case 'profiles-read':
    case 'nodes-compared':
    case 'chain-known':
    case 'build-known':
    case 'check-due':
    case 'checked':
    case 'check-failed':
    case 'node-answered':
    case 'node-silent':
    case 'node-refused':
    case 'node-blocked':
    case 'rows-arrived':
    case 'segments-known':
    case 'preset-known':
      return nodeEvent(state, fact);
    case 'view-saved': {
      const views = viewsAfter(state.views, fact);
      return views === state.views ? state : notKept({ ...state, views }, fact.problem);
    }
    case 'directory-known':
      return directoryKnown(state, fact);
    case 'page-arrived':
      return pageArrived(state, fact);
    case 'page-failed':
      return pageFailed(state, fact);
    case 'page-slow':
      return withBrowser(state, fact.resource, browser =>
        browser.loading?.ticket === fact.ticket
          ? { ...browser, loading: { ...browser.loading, isSlow: true } }
          : browser,
      );
    case 'whole-progressed':
    case 'whole-arrived':
    case 'whole-failed':
    case 'arrange-progressed':
    case 'arranged':
      return takeWhole(state, fact);
    case 'history-read':
    case 'command-saved':
      return { ...state, history: historyAfter(state.history, fact) };
    case 'watch-due':
      return watchDue(state, fact.resource);
    case 'rested':
      return withBrowser(state, fact.resource, browser => ({ ...browser, spokenOf: null }));
    case 'explained': {
      const { explanation } = fact;
      const meaning = explanation === null ? NOT_EXPLAINED : ({ status: 'known', explanation, ticket: null } as const);
      return withMeaningOf(state, fact, meaning);
    }
    case 'not-explained':
      return withMeaningOf(state, fact, { status: 'failed', problem: fact.problem });
    case 'explanation-slow':
      return withMeaningOf(state, fact, { status: 'asked', ticket: fact.ticket, isSlow: true });
    case 'saved':
    case 'not-saved':
      return savedOrNot(state, fact);
    case 'copied':
      if (state.copying?.requestId !== fact.requestId) return state;
      return withNotice({ ...state, copying: null }, fact.message, fact.isDone ? 'good' : 'bad');
  }
}

const NOT_EXPLAINED: Meaning = { status: 'none' };

function withMeaningOf(
  state: SessionState,
  { resource: id, ticket }: { readonly resource: string; readonly ticket: number },
  meaning: Meaning,
): SessionState {
  const resource = resourceById(id);
  if (resource === undefined) return state;
  return withBrowser(state, id, browser => {
    const { inspector } = browser;
    if (inspector === null || openTicket(inspector.meaning) !== ticket) return browser;
    return { ...browser, inspector: withOtherMeaning(resource, inspector, meaning) };
  });
}

const notKept = (state: SessionState, problem: string | null): SessionState =>
  problem === null ? state : withNotice(state, `how the lists were left is not kept: ${problem}`, 'bad');

function watchDue(state: SessionState, resource: string): SessionState {
  const browser = state.browsers[resource];
  if (browser === undefined || browser.watchS === 0 || browser.loading !== null || browser.page === null) return state;
  return withWish(state, resource, (shown, ticket) => move(shown, 'reload', ticket));
}
