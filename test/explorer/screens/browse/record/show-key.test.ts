import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../../src/chain/resources/registry.ts';
import { isTyping, type KeyTarget } from '../../../../../src/explorer/app/focus.ts';
import { bindingFor } from '../../../../../src/explorer/app/keymap.ts';
import type { Pane } from '../../../../../src/explorer/screens/browse/panes.ts';
import { FULL_RECORDS } from '../../../../chain/resources/full-records.ts';
import { answerPage, browserOf, last, press, startSession } from '../../../support/fake-world.ts';
import { KEY_SCENES } from '../../../support/key-scenes.ts';
import { placeOf } from '../../../support/layers.ts';
import { onFirstPage, run } from '../../../support/list-scenes.ts';
import { hexId, pageOf, provision } from '../../../support/provision-pages.ts';

const parameter = (key: string) => ({ key, value: '1' });

async function shown(line: string, ...pages: readonly Parameters<typeof answerPage>[1][]) {
  const { session, world } = await onFirstPage();
  run(session, line);
  for (const page of pages) await answerPage(world, page);
  return { session, world };
}

describe('`show TAB KEY` command', () => {
  const records = RESOURCES.flatMap(resource =>
    FULL_RECORDS.flatMap(([id, record]) => (id === resource.id ? [[resource, record] as const] : [])),
  ).map(([resource, record]) => [resource.id, resource.keyOf(record), record] as const);

  it('The `show` tests cover every list', () => {
    expect(new Set(records.map(([id]) => id)).size).toBe(RESOURCES.length);
  });

  it.each(records)(
    'The `show` command opens the record of %s that tables and commands call %s',
    async (id, key, record) => {
      const { session, world } = await startSession({ tab: id === 'markets' ? 'bundles' : 'markets' });
      await answerPage(world, pageOf([{}]));
      run(session, `show ${id} ${key}`);
      await answerPage(world, pageOf([record]));
      expect(session.state().tab).toBe(id);
      expect(browserOf(session)).toMatchObject({ inspector: { row: record }, seeking: null });
    },
  );

  it('The `show` command leaves the list with the filters that it always opens with', async () => {
    const { session, world } = await shown('show provisions abcdef');
    expect(last(world.pages).asked.request.filters).toEqual({ live: ['true'] });
    await answerPage(world, pageOf([provision(1)]));
    expect(session.state().notice?.text).toBe('not among the 1 provisions listed');
    expect(browserOf(session).filters).toEqual({ live: ['true'] });
  });

  it('The `show` command takes a prefix of one key, and asks for more when several keys have it', async () => {
    const rows = ['market.fee.a', 'market.fee.b', 'market.margin', 'spam'].map(parameter);
    const one = await shown('show parameters market.mar', pageOf(rows));
    expect(browserOf(one.session).inspector?.row).toEqual(rows[2]);
    const two = await shown('show parameters market.fee', pageOf(rows));
    expect(browserOf(two.session)).toMatchObject({ inspector: null, seeking: null });
    expect(two.session.state().notice?.text).toBe(
      '2 parameters begin with "market.fee" or have that name: type more of the key',
    );
  });

  it('The `show` command never takes a prefix as unique while there may be other matches', async () => {
    const { session } = await shown(
      'show oracles abcdef',
      pageOf([{ externalDataSourceSpec: { spec: { id: 'abcdef01' } } }], { hasNextPage: true, endCursor: 'one' }),
      pageOf([{ externalDataSourceSpec: { spec: { id: 'abcdef02' } } }]),
    );
    expect(browserOf(session).inspector).toBeNull();
    expect(session.state().notice?.text).toBe('not among the 2 oracle specs listed');
  });

  it('The `show` command takes the code of a market, and a number for a row from 0', async () => {
    const market = (id: string, code: string) => ({ id, tradableInstrument: { instrument: { code } } });
    const rows = [market('aaaa01', 'BTC/USDT'), market('aaaa02', 'ETH/USDT')];
    for (const key of ['eth/usdt', '1', 'AAAA02']) {
      const { session } = await shown(`show markets ${key}`, pageOf(rows));
      expect(browserOf(session).inspector?.row, key).toEqual(rows[1]);
    }
    const { session, world } = await shown('show markets 7', pageOf(rows, { hasNextPage: true, endCursor: 'x' }));
    await answerPage(world, pageOf(Array.from({ length: 9 }, (_, index) => market(`bb${index}`, ''))));
    expect(browserOf(session).inspector).toBeNull();
  });
});

describe('Command that leads to another place', () => {
  const PLACES: readonly (readonly [line: string, place: Pane | KeyTarget, tab?: string])[] = [
    ['show parameters some.key', 'list', 'parameters'],
    ['list parameters', 'list', 'parameters'],
    [`statement ${hexId(1)}`, 'screen'],
  ];

  it.each(Object.entries(KEY_SCENES))(
    'A command that leads to another place closes everything that covers it: %s',
    async (_, enter) => {
      for (const [line, place, tab] of PLACES) {
        const { session } = await enter();
        const state = session.state();
        if (isTyping(state) || bindingFor(state, ':')?.action.type !== 'open-prompt') continue;
        if (state.tab === 'parameters') continue;
        run(session, line);
        expect(placeOf(session.state()), line).toBe(place);
        if (tab !== undefined) expect(session.state().tab).toBe(tab);
      }
    },
  );
});

describe('Filter in a command line', () => {
  it('A filter value in a command line may have spaces, in quotes or not', async () => {
    for (const line of ['provisions reference=my own one live=true', 'list prov reference="my own one" live=true']) {
      const { session, world } = await onFirstPage();
      run(session, line);
      expect(last(world.pages).asked.request.filters, line).toMatchObject({ reference: ['my own one'] });
      await answerPage(world, pageOf([provision(1)]));
      press(session, 'esc');
    }
  });
});
