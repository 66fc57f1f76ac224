import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/explorer/core/runner.ts';
import { createRunner } from '../../../src/explorer/core/runner.ts';
import { FakeWorld, told } from '../support/fake-world.ts';

interface Started {
  readonly signal: AbortSignal;
  readonly report: (event: string) => void;
  readonly end: (...events: readonly string[]) => void;
  readonly fail: (error: unknown) => void;
}

/** A runner, what it has dispatched, and what it has started by key. */
function scene() {
  const events: string[] = [];
  const started: { readonly [key: string]: Started } & Record<string, Started> = {};
  const runner = createRunner<string>(new FakeWorld(), event => void events.push(event));
  const effect = (key: string, options: Partial<Effect<string>> = {}): Effect<string> => ({
    key,
    run: (_, signal, report) =>
      new Promise((resolve, fail) => {
        started[key] = { signal, report, end: (...ended) => resolve(ended), fail };
      }),
    failed: error => [`${key} failed: ${String(error)}`],
    ...options,
  });
  const of = (key: string): Started => {
    const found = started[key];
    if (found === undefined) throw new Error(`${key} was not started`);
    return found;
  };
  const isIdle = async (): Promise<boolean> => {
    let idle = false;
    void runner.idle().then(() => {
      idle = true;
    });
    await told();
    return idle;
  };
  return { runner, events, effect, of, isIdle, started };
}

describe('Effect runner', () => {
  it('The effect runner continues an effect requested under the same key, and aborts one that is not requested', () => {
    const { runner, effect, of, started } = scene();
    runner.reconcile([effect('a'), effect('b')]);
    const { signal } = of('a');
    runner.reconcile([effect('a'), effect('c')]);
    expect(of('a').signal).toBe(signal);
    expect([signal.aborted, of('b').signal.aborted, Object.keys(started)]).toEqual([false, true, ['a', 'b', 'c']]);
  });

  it('The effect runner drops what an aborted effect still reports, its end and its failure', async () => {
    const { runner, events, effect, of } = scene();
    runner.reconcile([effect('a'), effect('b'), effect('c')]);
    of('a').report('on its way');
    runner.reconcile([effect('c')]);
    of('a').report('too late');
    of('a').end('too late');
    of('b').fail('too late');
    of('c').end('in time');
    await told();
    expect(events).toEqual(['on its way', 'in time']);
  });

  it('The effect runner drops a late result when the same key is requested again', async () => {
    const { runner, events, effect, of } = scene();
    runner.reconcile([effect('a')]);
    const first = of('a');
    runner.reconcile([]);
    runner.reconcile([effect('a')]);
    first.report('of the first');
    first.end('of the first');
    await told();
    of('a').end('of the second');
    await told();
    expect(events).toEqual(['of the second']);
  });

  it('The effect runner accepts a late report from an effect that is allowed to send one', async () => {
    const { runner, events, effect, of } = scene();
    runner.reconcile([effect('a', { reportsAfterAbort: true })]);
    runner.reconcile([]);
    of('a').report('progress');
    of('a').end('end');
    await told();
    expect(events).toEqual(['progress', 'end']);
  });

  it('The effect runner receives what is reported before the effect has begun to wait', () => {
    const { runner, events, effect } = scene();
    const run: Effect<string>['run'] = async (_, __, report) => {
      report('at once');
      return [];
    };
    runner.reconcile([effect('a', { run })]);
    expect(events).toEqual(['at once']);
  });

  it('The effect runner starts nothing that became unwanted because the first effect reported at once', () => {
    const { effect, started } = scene();
    const runner = createRunner<string>(new FakeWorld(), () => runner.reconcile([effect('c')]));
    const run: Effect<string>['run'] = async (_, __, report) => {
      report('at once');
      return [];
    };
    runner.reconcile([effect('a', { run }), effect('b')]);
    expect(Object.keys(started)).toEqual(['c']);
  });

  it('The effect runner waits for an effect that must finish and was aborted by what it reported at once', async () => {
    const { effect, started } = scene();
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const runner = createRunner<string>(new FakeWorld(), () => runner.reconcile([]));
    const run: Effect<string>['run'] = (_, __, report) => {
      report('at once');
      return promise;
    };
    runner.reconcile([effect('file', { run, mustFinish: true })]);
    let isIdle = false;
    void runner.idle().then(() => {
      isIdle = true;
    });
    await told();
    expect([isIdle, Object.keys(started)]).toEqual([false, []]);
    resolve([]);
    await told();
    expect(isIdle).toBe(true);
  });

  it('The effect runner handles an effect that throws before it returns a promise', async () => {
    const { runner, events, effect } = scene();
    const run: Effect<string>['run'] = () => {
      throw new Error('at once');
    };
    runner.reconcile([effect('a', { run })]);
    await told();
    expect(events).toEqual(['a failed: Error: at once']);
  });

  it('The effect runner is idle during background effects, and not before an aborted file is written', async () => {
    const { runner, effect, of, isIdle } = scene();
    runner.reconcile([effect('news', { isBackground: true })]);
    expect(await isIdle()).toBe(true);
    runner.reconcile([effect('file', { mustFinish: true })]);
    runner.reconcile([]);
    expect([of('file').signal.aborted, await isIdle()]).toEqual([true, false]);
    of('file').end();
    expect(await isIdle()).toBe(true);
  });

  it('The effect runner waits at the end for everything that it has aborted', async () => {
    const { runner, effect, of } = scene();
    runner.reconcile([effect('file', { mustFinish: true }), effect('page')]);
    runner.reconcile([effect('page')]);
    let isClosed = false;
    const closed = runner.close().then(() => {
      isClosed = true;
    });
    of('page').end();
    await told();
    expect(isClosed).toBe(false);
    of('file').end();
    await closed;
  });
});
