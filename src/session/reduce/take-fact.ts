import { printJson } from '../../api/json.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { changesAfter } from '../model/changes.ts';
import { withoutUnkept } from '../model/command-history.ts';
import { newDraft, remember } from '../model/filters.ts';
import { aroundIn, withOtherMeaning } from '../model/inspector.ts';
import { meaningAsked, openTicket } from '../model/meaning.ts';
import { arrive, asLoaded, move, restart } from '../model/pager.ts';
import { sameRow } from '../model/same-row.ts';
import type { Browser, Inspector, LoadedPage, Meaning, NodeState, SessionState } from '../model/state.ts';
import { selectedRow, visibleRows } from '../model/visible-rows.ts';
import type { Fact } from './action.ts';
import { takeFrequency } from './frequency-keys.ts';
import { seekOn } from './go-to.ts';
import { nodeConnected } from './node-connected.ts';
import { nodeProbed, nodesKnown } from './node-picker.ts';
import { requestsTold } from './request-keys.ts';
import { savedOrNot } from './save.ts';
import { takeExportFact } from './take-export-fact.ts';
import { chainKnown, directoryKnown, namingAgain } from './take-names.ts';
import { takeStatement } from './take-statement.ts';
import { fetchAhead, withBrowser, withNotice, withWish } from './transitions.ts';
import { takeWhole } from './whole-list.ts';

/** Takes note of what happened. A fact about a wish that is not open any more changes nothing. */
export function takeFact(state: SessionState, fact: Fact): SessionState {
  switch (fact.type) {
    case 'resized':
      return { ...state, screen: fact.screen };
    case 'ticked':
      return { ...state, node: { ...state.node, nowMs: fact.nowMs } };
    case 'noticed':
      return withNotice(state, fact.text);
    case 'charset-found': {
      const { looks } = state;
      return { ...state, looks: { ...looks, terminal: { ...looks.terminal, isUtf8: fact.isUtf8 } } };
    }
    case 'node-connected':
      return nodeConnected(state, fact);
    case 'node-failed':
      return { ...state, node: { ...state.node, status: 'failed', failure: fact.failure } };
    case 'view-kept':
      if (state.nodes.keeping?.ticket !== fact.ticket) return state;
      return notKept({ ...state, nodes: { ...state.nodes, keeping: null } }, fact.problem);
    case 'nodes-known':
      return nodesKnown(state, fact);
    case 'node-probed':
      return nodeProbed(state, fact);
    case 'chain-known':
      return chainKnown(state, fact.chainId);
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
    case 'what-known':
      return state.pasted?.ticket === fact.ticket
        ? { ...state, pasted: { ...state.pasted, answer: fact.answer } }
        : state;
    case 'what-failed':
      return state.pasted?.ticket === fact.ticket
        ? { ...state, pasted: { ...state.pasted, problem: fact.problem } }
        : state;
    case 'history-read':
      return { ...state, history: { ...state.history, kept: fact.lines } };
    case 'line-kept':
      return { ...state, history: withoutUnkept(state.history, fact.ticket) };
    case 'watch-due':
      return watchDue(state, fact.resource);
    case 'rested':
      return withBrowser(state, fact.resource, browser => ({ ...browser, spokenOf: null }));
    case 'explained': {
      const { explanation } = fact;
      const meaning = explanation === null ? NOT_EXPLAINED : ({ status: 'known', explanation, ticket: null } as const);
      return withMeaningOf(state, fact.ticket, meaning);
    }
    case 'not-explained':
      return withMeaningOf(state, fact.ticket, { status: 'failed', problem: fact.problem });
    case 'explanation-slow':
      return withMeaningOf(state, fact.ticket, { status: 'asked', ticket: fact.ticket, isSlow: true });
    case 'statement-progressed':
    case 'statement-arrived':
    case 'statement-failed':
      return takeStatement(state, fact);
    case 'rows-counting':
    case 'rows-counted':
    case 'rows-not-counted':
      return takeFrequency(state, fact);
    case 'requests-told':
      return requestsTold(state, fact);
    case 'saved':
    case 'not-saved':
      return savedOrNot(state, fact);
    case 'copied':
      if (state.copying?.ticket !== fact.ticket) return state;
      return withNotice({ ...state, copying: null }, fact.message, fact.isDone ? 'good' : 'bad');
  }
  return takeExportFact(state, fact);
}

const NOT_EXPLAINED: Meaning = { status: 'none' };

function withMeaningOf(state: SessionState, ticket: number, meaning: Meaning): SessionState {
  const found = Object.values(state.browsers).find(
    ({ inspector }) => inspector !== null && openTicket(inspector.meaning) === ticket,
  );
  const resource = found && resourceById(found.resource);
  if (resource === undefined) return state;
  return withBrowser(state, resource.id, browser => ({
    ...browser,
    inspector: browser.inspector && withOtherMeaning(resource, browser.inspector, meaning),
  }));
}

const notKept = (state: SessionState, problem: string | null): SessionState =>
  problem === null ? state : withNotice(state, `how the lists were left is not kept: ${problem}`, 'bad');

function pageArrived(state: SessionState, fact: Extract<Fact, { readonly type: 'page-arrived' }>): SessionState {
  const resource = resourceById(fact.resource);
  const before = state.browsers[fact.resource];
  if (resource === undefined || before === undefined) return state;
  const after = arrive(before, fact.ticket, fact, fact.atMs);
  if (after === before) return state;
  const seen = remember(state.seen, resource, fact.page.rows.slice(0, 500));
  const isReload = before.loading?.ticket === fact.ticket && before.loading.move === 'reload';
  const ticket = state.ticket + 1;
  const kept = isReload ? withChanges(before, keepSelection(before, after, ticket)) : after;
  const arrived = {
    ...state,
    ticket,
    seen,
    node: nodeAfter(state.node, fact),
    browsers: { ...state.browsers, [fact.resource]: kept },
  };
  const sought = seekOn(arrived, fact.resource, fact.ticket);
  const ahead = fetchAhead(namingAgain(sought, state.seen, fact.atMs), fact.resource);
  const shown = fact.note === undefined ? ahead : withNotice(ahead, fact.note);
  if (after.pageSize === before.pageSize) return shown;
  const { pageSize: size } = before;
  return withNotice(shown, `a page of ${size} rows is too large for this node: ${fact.size} rows a page from now on`);
}

// Who does not watch looks at the rows anyway.
function withChanges(before: Browser, after: Browser): Browser {
  const resource = resourceById(before.resource);
  if (resource === undefined || before.page === null || after.page === null || after.watchS === 0) return after;
  return { ...after, changes: changesAfter(resource, before.changes, { before: before.page, after: after.page }) };
}

/** After a reload the same record stays selected and inspected, wherever it is now. */
function keepSelection(before: Browser, after: Browser, ticket: number): Browser {
  const resource = resourceById(before.resource);
  if (resource === undefined) return after;
  const selected = selectedRow(resource, before);
  const rows = visibleRows(resource, after).slice();
  const kept = selected && sameRow(resource, selected, rows);
  const index = kept === undefined ? -1 : rows.indexOf(kept);
  const shown = before.inspector === null ? undefined : sameRow(resource, before.inspector.row, after.page?.rows ?? []);
  return {
    ...after,
    view: index < 0 ? before.view : { ...before.view, row: index },
    inspector:
      before.inspector !== null && shown !== undefined && after.page !== null
        ? inspectedAgain(resource, before.inspector, shown, { page: after.page, ticket })
        : before.inspector,
  };
}

// What it meant stays on the screen while it is worked out anew, but not beside a record that says something else.
function inspectedAgain(
  resource: Resource,
  before: Inspector,
  row: Row,
  { page, ticket }: { readonly page: LoadedPage; readonly ticket: number },
): Inspector {
  const { meaning } = before;
  const isSame = meaning.status === 'known' && printJson(row) === printJson(before.row);
  return {
    ...before,
    row,
    around: aroundIn(page, row),
    receivedAtMs: page.receivedAtMs,
    meaning: isSame ? { ...meaning, ticket } : meaningAsked(resource, ticket),
  };
}

function nodeAfter(node: NodeState, { facts, atMs }: Extract<Fact, { readonly type: 'page-arrived' }>): NodeState {
  const { blockHeight, blockTimeNs, rate } = facts;
  const ageMs = blockTimeNs === undefined ? null : atMs - Number(BigInt(blockTimeNs) / 1_000_000n);
  return {
    ...node,
    hasAnswered: true,
    nowMs: atMs,
    blockedUntilMs: 0,
    ratePerSecond: rate.limitPerSecond ?? node.ratePerSecond,
    height: blockHeight === undefined ? node.height : { block: blockHeight, ageMs, readAtMs: atMs },
    isChainDoubted: node.isChainDoubted || isFarBelow(blockHeight, node.height?.block),
  };
}

/** Of several nodes behind one address some are a few blocks behind; a chain that begins anew is far behind. */
const FAR_BLOCKS = 1000n;

const isFarBelow = (block: string | undefined, before: string | undefined): boolean =>
  block !== undefined && before !== undefined && BigInt(block) + FAR_BLOCKS < BigInt(before);

function pageFailed(state: SessionState, fact: Extract<Fact, { readonly type: 'page-failed' }>): SessionState {
  const browser = state.browsers[fact.resource];
  if (browser?.prefetching?.ticket === fact.ticket) {
    // Fetched ahead for nothing: the key will ask again and show what is wrong.
    const blockedUntilMs = Math.max(state.node.blockedUntilMs, fact.failure.retryAtMs);
    return withBrowser({ ...state, node: { ...state.node, blockedUntilMs } }, fact.resource, shown => ({
      ...shown,
      prefetching: null,
      page: shown.page && { ...shown.page, isNextRefused: true },
    }));
  }
  if (browser?.loading?.ticket !== fact.ticket) return state;
  const blockedUntilMs = Math.max(state.node.blockedUntilMs, fact.failure.retryAtMs);
  const failed = {
    ...state,
    node: { ...state.node, blockedUntilMs, nowMs: Math.max(state.node.nowMs, fact.atMs) },
  };
  if (fact.demand === null)
    return withBrowser(failed, fact.resource, shown => ({
      ...shown,
      loading: null,
      failure: fact.failure,
      watchS: 0,
    }));
  return demandFilters(failed, fact.resource, fact.demand);
}

// The filter bar opens with the node's sentence, over the rows that are there and their own filters; ids for its fields come from the paid fees, which need none.
function demandFilters(state: SessionState, resource: string, demand: string): SessionState {
  const descriptor = resourceById(resource);
  if (descriptor === undefined) return state;
  const asked = withBrowser(state, resource, browser => ({
    ...asLoaded(browser),
    loading: null,
    demand,
    draft: browser.draft ?? { ...newDraft(descriptor, browser), isOffered: true },
  }));
  const fees = asked.browsers.fees;
  const isKnown = (asked.seen.market ?? []).length > 0 || fees?.page !== null || fees.loading !== null;
  return isKnown ? asked : withWish(asked, 'fees', restart);
}

function watchDue(state: SessionState, resource: string): SessionState {
  const browser = state.browsers[resource];
  if (browser === undefined || browser.watchS === 0 || browser.loading !== null || browser.page === null) return state;
  return withWish(state, resource, (shown, ticket) => move(shown, 'reload', ticket));
}
