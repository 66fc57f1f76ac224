import { printJson } from '../../api/json.ts';
import { nodeAfter } from '../../explorer/services/node/node.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import type { Fact } from '../model/action.ts';
import { changesAfter } from '../model/changes.ts';
import { openedFilterBar } from '../model/filter-bar.ts';
import { aroundIn } from '../model/inspector.ts';
import { meaningAsked } from '../model/meaning.ts';
import { arrive, asLoaded, restart, withNewRequest } from '../model/pager.ts';
import { sameRow } from '../model/same-row.ts';
import type { Browser, Inspector, LoadedPage, SessionState } from '../model/state.ts';
import { selectedRow, visibleRows } from '../model/visible-rows.ts';
import { seekOn } from './go-to.ts';
import { nodeEvent } from './node-events.ts';
import { fetchAhead, withBrowser, withNotice, withWish } from './transitions.ts';

/** A page has come for a list: it is shown, and what it tells of the node and of ids is kept. */
export function pageArrived(state: SessionState, fact: Extract<Fact, { readonly type: 'page-arrived' }>): SessionState {
  const resource = resourceById(fact.resource);
  const before = state.browsers[fact.resource];
  if (resource === undefined || before === undefined) return state;
  const after = arrive(before, fact.ticket, fact, fact.atMs);
  if (after === before) return state;
  const isReload = before.loading?.ticket === fact.ticket && before.loading.move === 'reload';
  const kept = isReload
    ? withNewRequest(after, (page, ticket) => withChanges(before, keepSelection(before, page, ticket)))
    : after;
  const { facts, atMs, page } = fact;
  const isByHand = isReload && before.watchS === 0;
  const known = nodeEvent(
    { ...state, browsers: { ...state.browsers, [fact.resource]: kept } },
    { type: 'rows-arrived', resource: resource.id, rows: page.rows, facts, atMs, isByHand },
  );
  const ahead = fetchAhead(seekOn(known, fact.resource, fact.ticket), fact.resource);
  const shown = fact.note === undefined ? ahead : withNotice(ahead, fact.note);
  if (after.pageSize === before.pageSize) return shown;
  const { pageSize: size } = before;
  return withNotice(shown, `a page of ${size} rows is too large for this node: ${fact.size} rows a page from now on`);
}

/** A page could not be had: of one that was fetched ahead nothing is said. */
export function pageFailed(state: SessionState, fact: Extract<Fact, { readonly type: 'page-failed' }>): SessionState {
  const browser = state.browsers[fact.resource];
  const { atMs, failure } = fact;
  const node = nodeAfter(state.node, { type: 'node-blocked', untilMs: failure.retryAtMs, atMs });
  const failed = { ...state, node };
  if (browser?.prefetching?.ticket === fact.ticket) {
    // Fetched ahead for nothing: the key will ask again and show what is wrong.
    return withBrowser(failed, fact.resource, shown => ({
      ...shown,
      prefetching: null,
      page: shown.page && { ...shown.page, isNextRefused: true },
    }));
  }
  if (browser?.loading?.ticket !== fact.ticket) return state;
  if (fact.demand === null)
    return withBrowser(failed, fact.resource, shown => ({
      ...shown,
      loading: null,
      failure: fact.failure,
      watchS: 0,
    }));
  return demandFilters(failed, fact.resource, fact.demand);
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

// The filter bar opens with the node's sentence, over the rows that are there and their own filters; ids for its fields
// come from the paid fees, which need none.
function demandFilters(state: SessionState, resource: string, demand: string): SessionState {
  const descriptor = resourceById(resource);
  if (descriptor === undefined) return state;
  const asked = withBrowser(state, resource, browser => ({
    ...asLoaded(browser),
    loading: null,
    demand,
    filterBar: browser.filterBar ?? { ...openedFilterBar(descriptor, browser.filters), isOffered: true },
  }));
  const fees = asked.browsers.fees;
  const isKnown = (asked.seen.market ?? []).length > 0 || fees?.page !== null || fees.loading !== null;
  return isKnown ? asked : withWish(asked, 'fees', restart);
}
