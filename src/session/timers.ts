import { nextAgeMs } from './model/ages.ts';
import type { Browser, SessionState } from './model/state.ts';
import { nextTrustMs } from './model/trust.ts';
import { nextChangeMs, shownAsOfMs } from './reduce/layers.ts';

/** A wish that only waits; nothing that is idle waits for it. */
export interface Timer {
  /** As that of any other wish. */
  readonly key: string;
  readonly kind: 'timer';
  readonly afterMs: number;
  readonly fact:
    | { readonly type: 'page-slow'; readonly ticket: number; readonly resource: string }
    | { readonly type: 'explanation-slow'; readonly ticket: number; readonly resource: string }
    | { readonly type: 'watch-due'; readonly resource: string }
    | { readonly type: 'rested'; readonly resource: string }
    | { readonly type: 'ticked' };
}

/** What is waited for now: of the lists that of the tab shown alone. */
export function timers(state: SessionState): readonly Timer[] {
  const browser = state.browsers[state.tab];
  return [...(browser === undefined ? [] : listTimers(browser)), ...clockTimers(state)];
}

/** Waits shorter than this are not shown. */
const SLOW_MS = 300;

/** A selection that moves on within this time is not spoken of: a held key sends no sentences over a slow link. */
const REST_MS = 150;

function listTimers({ resource, loading, inspector, watchS, page, spokenOf, view }: Browser): readonly Timer[] {
  const waits: Timer[] = [];
  if (loading !== null && !loading.isSlow) {
    const { ticket } = loading;
    waits.push(timer(`slow ${resource} ${ticket}`, SLOW_MS, { type: 'page-slow', ticket, resource }));
  }
  const meaning = inspector?.meaning;
  if (meaning?.status === 'asked' && !meaning.isSlow) {
    const { ticket } = meaning;
    waits.push(timer(`slow ${resource} ${ticket}`, SLOW_MS, { type: 'explanation-slow', ticket, resource }));
  }
  if (watchS > 0 && page !== null && loading === null)
    waits.push(timer(`watch ${resource} ${page.receivedAtMs}`, watchS * 1000, { type: 'watch-due', resource }));
  if (spokenOf !== null) waits.push(timer(`rest ${resource} ${view.row}`, REST_MS, { type: 'rested', resource }));
  return waits;
}

function clockTimers(state: SessionState): readonly Timer[] {
  const { node, tab } = state;
  const changes = [nextAgeMs(state), nextChangeMs(state), nextTrustMs(state, shownAsOfMs(state))].filter(
    ms => ms !== undefined,
  );
  const nextMs = Math.min(...changes);
  return [
    ...(node.blockedUntilMs > node.nowMs ? [timer(`tick ${node.nowMs}`, 1000, { type: 'ticked' })] : []),
    ...(changes.length === 0 ? [] : [timer(`age ${tab} ${node.nowMs} ${nextMs}`, nextMs, { type: 'ticked' })]),
  ];
}

const timer = (key: string, afterMs: number, fact: Timer['fact']): Timer => ({ key, kind: 'timer', afterMs, fact });
