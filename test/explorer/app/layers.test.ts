import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/explorer/app/reduce.ts';
import { answerPage, last, press, told } from '../support/fake-world.ts';
import { layersOf, openState, placeOf, rootLayer } from '../support/layers.ts';
import { onFirstPage, run } from '../support/list-scenes.ts';
import { feesOf } from '../support/paid-fees.ts';
import { hexId, provisionPage } from '../support/provision-pages.ts';
import { requestsTold } from '../support/requests-told.ts';

async function onLog() {
  const { session, world } = await onFirstPage();
  press(session, 'L');
  last(world.tells).answer({ version: 1, requests: requestsTold(3) });
  await told();
  return { session, world };
}

describe('Screens over a tab', () => {
  it('The screens over a tab stack: Esc goes back from a statement to the request log below it', async () => {
    const { session, world } = await onLog();
    run(session, `statement ${hexId(1)}`);
    expect(layersOf(session)).toEqual(['requests', 'statement']);
    last(world.statements).answer(feesOf(last(world.statements).asked.question, 60));
    await told();
    press(session, 'pageup');
    press(session, 'esc');
    expect([layersOf(session), placeOf(session.state())]).toEqual([['requests'], 'screen']);
    press(session, 'esc');
    expect([layersOf(session), placeOf(session.state())]).toEqual([[], 'list']);
  });

  it('The screens over a tab close when a value leads to a record, so that nobody is sent behind them', async () => {
    const { session, world } = await onLog();
    run(session, `what ${hexId(1)}`);
    const lead = { entity: 'market', id: hexId(1) } as const;
    const roles = [{ role: 'market', text: 'HELDA/HUSD', where: 'markets', lead }];
    last(world.values).answer({
      value: hexId(1),
      formNotes: [],
      roles,
      notFound: [],
      unchecked: [],
      notServed: [],
      requests: 1,
    });
    await told();
    press(session, 'enter');
    await answerPage(world, provisionPage(1));
    expect([layersOf(session), session.state().tab]).toEqual([[], 'markets']);
  });

  it('The screens over a tab keep running while another covers them', async () => {
    const { session, world } = await onLog();
    run(session, `statement ${hexId(1)}`);
    last(world.tells).answer({ version: 2, requests: requestsTold(7) });
    await told();
    press(session, 'esc');
    expect(openState<{ readonly requests: readonly unknown[] }>(session, 'requests').requests.length).toBe(7);
  });

  it('The screens over a tab replace one of their own kind', async () => {
    const { session } = await onFirstPage();
    run(session, `statement ${hexId(1)}`);
    run(session, `statement ${hexId(2)}`);
    expect(layersOf(session)).toEqual(['statement']);
  });

  it('The screens over a tab receive nothing that was meant for a closed one', async () => {
    const { session } = await onLog();
    const first = session.state().layers.at(-1);
    press(session, 'L', 'L');
    const before = session.state();
    const event = { type: 'changed', version: 9, requests: [] };
    expect(before.layers.at(-1)?.id).not.toBe(first?.id);
    expect(reduce(before, { type: 'layer-event', layer: first?.id ?? 0, event })).toBe(before);
  });

  it('The screens that are tabs get events while another tab is shown, and others of that name do not', async () => {
    const { session } = await onFirstPage();
    const before = rootLayer(session.state(), 'chain-history');
    const tell = (screen: string, tabs: readonly string[]) =>
      session.dispatch({ type: 'root-event', screen, tabs, event: { type: 'audit' } });
    tell('chain-history', ['fees']);
    tell('requests', ['history']);
    expect(rootLayer(session.state(), 'chain-history')).toBe(before);
    tell('chain-history', ['fees', 'history']);
    expect(rootLayer(session.state(), 'chain-history').state).not.toEqual(before.state);
  });

  it('The screens over a tab stay the same object while nothing has changed', async () => {
    const { session } = await onLog();
    const { layers } = session.state();
    session.dispatch({ type: 'ticked', nowMs: session.state().node.nowMs + 1000 });
    expect(session.state().layers).toBe(layers);
  });

  it('The screens over a tab are closed by another tab', async () => {
    const { session } = await onLog();
    run(session, `statement ${hexId(1)}`);
    press(session, '1');
    expect(layersOf(session)).toEqual([]);
  });
});
