import { describe, expect, it } from 'vitest';
import { flagName } from '../../../src/chain/resources/filter.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { runCommand } from '../../../src/explorer/app/commands/command.ts';
import { parseParty } from '../../../src/explorer/services/names/party.ts';
import { asset, directoryWith, market, validator } from '../../chain/directory/directories.ts';
import { answerPage, browserOf, FakeWorld, press, startSession, told } from '../support/fake-world.ts';
import { run, type } from '../support/list-scenes.ts';
import { provisionPage } from '../support/provision-pages.ts';

const [MARKET, ASSET, NODE, PARTY] = ['3a', '4b', '5c', '6d'].map(byte => byte.repeat(32));
const SUBMITTER = `0x${'7e'.repeat(20)}`;
const IDS: { readonly [entity: string]: string | undefined } = {
  ...{ market: MARKET, asset: ASSET, node: NODE, party: PARTY, submitter: SUBMITTER },
};

async function knownIds() {
  const names = directoryWith({
    markets: [[MARKET ?? '', market({ code: 'HELDA/HUSD' })]],
    assets: [[ASSET ?? '', asset()]],
    validators: [[NODE ?? '', validator({ publicKey: PARTY ?? '', ethereumAddress: SUBMITTER })]],
  });
  const world = new FakeWorld();
  world.directory = async () => ({ names, isOld: false });
  const { session } = await startSession({ world });
  await answerPage(world, provisionPage(1));
  await told();
  return session;
}

const spellings = (id: string): readonly string[] => {
  const digits = id.replace(/^0x/, '');
  return [
    ...[id, `0x${digits}`, digits.toUpperCase(), `0X${digits.toUpperCase()}`],
    ...[
      digits.slice(0, 7),
      digits.slice(0, 8),
      `0x${digits.slice(0, 8)}`,
      `${digits.slice(0, 4)}..${digits.slice(-4)}`,
    ],
  ];
};

const FILTERS = RESOURCES.flatMap(({ id: tab, filters }) =>
  filters.flatMap(filter => {
    const id = IDS[filter.entity ?? ''];
    return id === undefined ? [] : [{ tab, filter, id }];
  }),
);

describe('Ids that are typed into the explorer', () => {
  it('The filters of every list with an id are tested', () => {
    const ofIds = RESOURCES.flatMap(({ filters }) => filters.filter(({ kind }) => kind === 'id' || kind === 'address'));
    expect(FILTERS.map(({ filter }) => filter)).toEqual(ofIds);
    expect(FILTERS.length).toBeGreaterThan(5);
  });

  it.each(FILTERS)('The line `$tab $filter.name=ID` accepts an id however it is spelt', async ({ tab, filter, id }) => {
    const session = await knownIds();
    for (const spelt of spellings(id)) {
      run(session, `${tab} ${flagName(filter)}=${spelt}`);
      expect([spelt, browserOf(session).filters[filter.name]]).toEqual([spelt, [id]]);
    }
  });

  it.each(FILTERS)(
    'The field $filter.name of the filters of $tab accepts an id however it is spelt',
    async ({ tab, filter, id }) => {
      const fields = RESOURCES.find(resource => resource.id === tab)?.filters ?? [];
      for (const spelt of spellings(id)) {
        const session = await knownIds();
        run(session, tab);
        press(session, 'f');
        for (const _ of fields.slice(0, fields.indexOf(filter))) press(session, 'tab');
        type(session, spelt);
        press(session, 'enter');
        expect([spelt, browserOf(session).filters[filter.name]]).toEqual([spelt, [id]]);
      }
    },
  );

  it.each([
    ['statement', MARKET],
    ['statement', PARTY],
    ['mine add', MARKET],
    ['mine add', NODE],
    ['mine add', SUBMITTER],
  ])('The line `%s %s` accepts an id however it is spelt', async (line, id = '') => {
    const session = await knownIds();
    const wanted = runCommand(session.state(), `${line} ${id}`);
    expect(wanted).not.toHaveProperty('problem');
    for (const spelt of spellings(id))
      expect([spelt, runCommand(session.state(), `${line} ${spelt}`)]).toEqual([spelt, wanted]);
  });

  it('The party of a question and of a report is accepted however its id is spelt', async () => {
    const session = await knownIds();
    for (const spelt of spellings(PARTY ?? ''))
      expect([spelt, parseParty(session.state(), spelt)]).toEqual([spelt, PARTY]);
  });
});
