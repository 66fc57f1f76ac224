import type { WorldEffect } from '../services/effect.ts';
import type { World } from '../services/world.ts';
import type { AnyEvent } from './layer.ts';

/** Something that runs in the world for as long as the state asks for it. */
export type Effect<TEvent> = WorldEffect<World, TEvent>;

/** An effect whose events only its screen knows, and the event to dispatch for them. */
export interface AddressedEffect<TEvent> extends Effect<AnyEvent> {
  readonly toEvent: (event: AnyEvent) => TEvent;
}

type AnyEffect<TEvent> = Effect<TEvent> | AddressedEffect<TEvent>;

/** Runs the effects that the state asks for, and no others. */
interface Runner<TEvent> {
  /** Starts each of these that is not running (again, if it has ended), and aborts all others. */
  readonly reconcile: (effects: readonly AnyEffect<TEvent>[]) => void;
  /** Resolves when nothing runs but effects in the background, and those aborted that need not finish. */
  readonly idle: () => Promise<void>;
  /** Aborts everything, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}

interface Running {
  /** The flags of the latest request; its work and its failure handling stay those of its start. */
  effect: Pick<Effect<unknown>, 'isBackground' | 'mustFinish'>;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Drops the events of an aborted effect unless it opts out, so that no screen has to recognise a late answer. Further
 * events of a failure are dispatched after its own; until they are, the effect is still requested.
 */
export function createRunner<TEvent>(
  world: World,
  dispatch: (event: TEvent) => void,
  saidByFailure: (error: unknown, atMs: number) => readonly TEvent[] = () => [],
): Runner<TEvent> {
  const running = new Map<string, Running>();
  /** Aborted effects that must finish. */
  const finishing = new Set<Promise<void>>();
  const idleWaiters = new Set<() => void>();
  let latest: ReadonlyMap<string, AnyEffect<TEvent>> = new Map();

  const isIdle = (): boolean =>
    finishing.size === 0 && [...running.values()].every(({ effect }) => effect.isBackground === true);

  function notifyIfIdle(): void {
    if (!isIdle()) return;
    for (const waiter of [...idleWaiters]) waiter();
    idleWaiters.clear();
  }

  function waitForAborted(ended: Promise<void>): void {
    finishing.add(ended);
    void ended.finally(() => {
      finishing.delete(ended);
      notifyIfIdle();
    });
  }

  async function start<TOwn>(effect: Effect<TOwn>, toEvent: (event: TOwn) => TEvent): Promise<void> {
    const { key, reportsAfterAbort = false } = effect;
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    // Registered before it starts, because it may report at once.
    running.set(key, { effect, controller, ended });
    const isCurrent = (): boolean => running.get(key)?.controller === controller;
    const report = (event: TOwn): void => {
      if (isCurrent() || reportsAfterAbort) dispatch(toEvent(event));
    };
    let events: readonly TEvent[];
    try {
      events = (await effect.run(world, controller.signal, report)).map(toEvent);
    } catch (error) {
      const atMs = world.nowMs();
      events = [...effect.failed(error, atMs).map(toEvent), ...saidByFailure(error, atMs)];
    }
    const counts = isCurrent() || reportsAfterAbort;
    if (isCurrent()) running.delete(key);
    try {
      if (counts) for (const event of events) dispatch(event);
      notifyIfIdle();
    } finally {
      resolve();
    }
  }

  function reconcile(effects: readonly AnyEffect<TEvent>[]): void {
    const wanted = new Map(effects.map(effect => [effect.key, effect]));
    latest = wanted;
    for (const [key, entry] of running) {
      const effect = wanted.get(key);
      if (effect !== undefined) {
        entry.effect = effect;
        continue;
      }
      running.delete(key);
      entry.controller.abort();
      if (entry.effect.mustFinish === true) waitForAborted(entry.ended);
    }
    for (const [key, effect] of wanted) {
      // One that was started reported at once, and other effects are wanted since.
      if (latest !== wanted) return;
      if (running.has(key)) continue;
      void ('toEvent' in effect ? start(effect, effect.toEvent) : start(effect, event => event));
    }
    notifyIfIdle();
  }

  return {
    reconcile,
    idle: () => (isIdle() ? Promise.resolve() : new Promise(resolve => idleWaiters.add(resolve))),
    close: async () => {
      const open = [...running.values()];
      running.clear();
      for (const { controller } of open) controller.abort();
      await Promise.allSettled([...open.map(({ ended }) => ended), ...finishing]);
    },
  };
}
