import type { EffectOn } from '../services/effect.ts';
import type { World } from '../services/world.ts';

/** Makes what runs in the world equal to what the state asks for. */
export interface Runner<Event> {
  /** Starts what is new, and aborts what is not asked for any more. */
  readonly run: (effects: readonly Effect<Event>[]) => void;
  /** Resolves when nothing runs but what is in the background. */
  readonly idle: () => Promise<void>;
  /** Aborts everything, and resolves when it has stopped. */
  readonly close: () => Promise<void>;
}

interface Running<Event> {
  /** As it was asked for last. */
  effect: Effect<Event>;
  readonly abort: AbortController;
  done: Promise<void>;
}

/** Whatever an effect reports after it was aborted is dropped here, so that no screen has to recognise a late answer. */
export function createRunner<Event>(world: World, dispatch: (event: Event) => void): Runner<Event> {
  const running = new Map<string, Running<Event>>();
  /** Aborted, but still writing. */
  const finishing = new Set<Promise<void>>();
  const idleWaiters = new Set<() => void>();

  const isIdle = (): boolean =>
    finishing.size === 0 && [...running.values()].every(({ effect }) => effect.isBackground === true);

  function tellIdle(): void {
    if (!isIdle()) return;
    for (const waiter of [...idleWaiters]) waiter();
    idleWaiters.clear();
  }

  function finishAlone(done: Promise<void>): void {
    finishing.add(done);
    void done.finally(() => {
      finishing.delete(done);
      tellIdle();
    });
  }

  function start(effect: Effect<Event>): void {
    const { key, countsLate = false } = effect;
    const abort = new AbortController();
    const isWanted = (): boolean => running.get(key)?.abort === abort;
    const finish = (events: readonly Event[]): void => {
      const counts = isWanted() || countsLate;
      if (isWanted()) running.delete(key);
      if (counts) for (const event of events) dispatch(event);
      tellIdle();
    };
    const report = (event: Event): void => {
      if (isWanted() || countsLate) dispatch(event);
    };
    // It is known to run before it does: it may report at once.
    const entry: Running<Event> = { effect, abort, done: Promise.resolve() };
    running.set(key, entry);
    entry.done = effect
      .run(world, abort.signal, report)
      .then(finish, (error: unknown) => finish(effect.failed(error, world.nowMs())));
  }

  function run(effects: readonly Effect<Event>[]): void {
    const wanted = new Map(effects.map(effect => [effect.key, effect]));
    for (const [key, entry] of running) {
      const effect = wanted.get(key);
      if (effect !== undefined) {
        entry.effect = effect;
        continue;
      }
      running.delete(key);
      entry.abort.abort();
      if (entry.effect.mustFinish === true) finishAlone(entry.done);
    }
    for (const [key, effect] of wanted) if (!running.has(key)) start(effect);
    tellIdle();
  }

  return {
    run,
    idle: () => (isIdle() ? Promise.resolve() : new Promise(resolve => idleWaiters.add(resolve))),
    close: async () => {
      const open = [...running.values()];
      running.clear();
      for (const { abort } of open) abort.abort();
      await Promise.allSettled([...open.map(({ done }) => done), ...finishing]);
    },
  };
}

/** Something that runs in the world for as long as the state asks for it. */
export type Effect<Event> = EffectOn<World, Event>;
