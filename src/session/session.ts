import { failedWish } from './failed-wish.ts';
import { fulfilWish } from './fulfil-wish.ts';
import { initialState, type Start } from './model/initial.ts';
import { isTyping, modeOf } from './model/mode.ts';
import type { SessionState } from './model/state.ts';
import type { Action, Fact } from './reduce/action.ts';
import { openFiles } from './reduce/ask-export.ts';
import { bindingFor } from './reduce/keymap.ts';
import { offHere } from './reduce/off-here.ts';
import { fieldOfPasted } from './reduce/pasted-id.ts';
import { reduce } from './reduce/reduce.ts';
import { arriveAtTab } from './reduce/transitions.ts';
import { unboundKey } from './reduce/unbound-key.ts';
import { type Wish, wishesOf } from './wish.ts';
import type { World } from './world.ts';

/** The explorer without a screen: its state, what changes it, and what it has running. */
export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (action: Action) => void;
  /** A key by its name (`n`, `enter`, `ctrl-u`); false when the mode has no use for it. */
  readonly press: (key: string) => boolean;
  /** Text pasted by the terminal: into the field in focus, if there is one. */
  readonly paste: (text: string) => void;
  /** Resolves when nothing is asked of the world any more; timers do not count. */
  readonly idle: () => Promise<void>;
  /** Stops everything that runs, and resolves when it has stopped. */
  readonly close: () => Promise<void>;
}

/** Ages are told in minutes. */
const STALE_CLOCK_MS = 60_000;

interface Running {
  readonly wish: Wish;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export function createSession(start: Start, world: World): Session {
  let state = firstState(start);
  const listeners = new Set<() => void>();
  const running = new Map<string, Running>();
  const idleWaiters = new Set<() => void>();

  function dispatch(action: Action): void {
    const next = reduce(state, action);
    if (next === state) return;
    state = next;
    fulfil();
    for (const listener of [...listeners]) listener();
  }

  /** Makes what is running equal to what is wished for. */
  function fulfil(): void {
    const wishes = new Map(wishesOf(state).map(wish => [wish.key, wish]));
    for (const [key, { wish, abort, done }] of running) {
      if (wishes.has(key)) continue;
      running.delete(key);
      abort.abort();
      // Files that were looked at are closed before the end.
      if (wish.kind === 'view-files') waitFor(done);
    }
    for (const [key, wish] of wishes) if (!running.has(key)) startWish(key, wish);
    tellIdle();
  }

  function startWish(key: string, wish: Wish): void {
    const abort = new AbortController();
    const finish = (facts: readonly Fact[]): void => {
      const isWished = running.get(key)?.abort === abort;
      if (isWished) running.delete(key);
      // An export that was cancelled still has something to tell: where its bytes are.
      if (isWished || wish.kind === 'export') for (const fact of facts) dispatch(fact);
      tellIdle();
    };
    const done = fulfilWish(wish, world, abort.signal, dispatch).then(finish, (error: unknown) =>
      finish(failedWish(wish, error, world.nowMs())),
    );
    running.set(key, { wish, abort, done });
    if (LEAVES_FILES.has(wish.kind)) waitFor(done);
  }

  function waitFor(done: Promise<void>): void {
    unhurried.add(done);
    void done.finally(() => {
      unhurried.delete(done);
      tellIdle();
    });
  }

  /** What is waited for at the end, wished for or not: half of a file must not stay behind. */
  const unhurried = new Set<Promise<void>>();
  const isIdle = (): boolean =>
    unhurried.size === 0 && [...running.values()].every(({ wish }) => onlyWaits(wish, state));

  function tellIdle(): void {
    if (!isIdle()) return;
    for (const waiter of [...idleWaiters]) waiter();
    idleWaiters.clear();
  }

  function press(key: string): boolean {
    if (key === 'ctrl-c' || key === 'ctrl-\\') {
      dispatch({ type: 'interrupt' });
      // Ctrl-\ is the way out that asks nothing.
      if (key !== 'ctrl-c' && !state.isEnded) dispatch({ type: 'interrupt' });
      return true;
    }
    // Where nothing was asked for a while the clock is that of then: how old an answer is needs the time of now.
    const nowMs = world.nowMs();
    if (nowMs - state.node.nowMs > STALE_CLOCK_MS) dispatch({ type: 'ticked', nowMs });
    const mode = modeOf(state);
    const binding = bindingFor(state, key);
    if (binding === undefined) {
      for (const action of unboundKey(state, key)) dispatch(action);
      return false;
    }
    const off = offHere(state, binding);
    dispatch(off === undefined ? binding.action : { type: 'noticed', text: off, refused: { mode, key } });
    return true;
  }

  fulfil();
  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    press,
    paste: text => {
      const isOffered = modeOf(state) === 'filters-offered';
      if (isOffered) dispatch({ type: 'edit-filters' });
      const other = modeOf(state) === 'filters' ? fieldOfPasted(state, text, isOffered) : undefined;
      for (let steps = other?.steps ?? 0; steps > 0; steps--) dispatch({ type: 'next-field' });
      if (other !== undefined) dispatch({ type: 'noticed', text: other.why });
      if (isTyping(modeOf(state))) dispatch({ type: 'insert-text', text });
      else if (modeOf(state) === 'statement') dispatch({ type: 'show-statement', id: text });
      else if (modeOf(state) === 'viewer') dispatch({ type: 'in-viewer', choice: { kind: 'find', text } });
      else if (modeOf(state) === 'export-result')
        dispatch({ type: 'in-viewer', choice: { kind: 'ask-party', party: text } });
      else dispatch({ type: 'noticed', text: 'paste goes into a field: f, / or : opens one' });
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise(resolve => idleWaiters.add(resolve))),
    close: async () => {
      const open = [...running.values()];
      running.clear();
      for (const { abort } of open) abort.abort();
      await Promise.allSettled([
        ...open.filter(({ wish }) => wish.kind !== 'timer').map(({ done }) => done),
        ...unhurried,
      ]);
    },
  };
}

function firstState(start: Start): SessionState {
  const { files } = start;
  const first = initialState(start);
  if (files === undefined) return arriveAtTab(first, start.tab);
  return openFiles(first.node.status === 'unasked' ? first : arriveAtTab(first, start.tab), files);
}

/** Something on the disk is changed by it. */
const LEAVES_FILES: ReadonlySet<Wish['kind']> = new Set([
  'export',
  'save',
  'copy',
  'keep-line',
  'keep-view',
  'keep-preset',
]);

/** It asks nothing of anybody. */
const onlyWaits = ({ kind }: Wish, { viewer }: SessionState): boolean =>
  kind === 'timer' ||
  kind === 'check' ||
  kind === 'requests' ||
  (kind === 'view-files' && viewer?.files.status === 'open');
