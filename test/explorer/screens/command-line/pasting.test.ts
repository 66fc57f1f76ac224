import { describe, expect, it } from 'vitest';
import type { WhatAnswer } from '../../../../src/chain/what/what.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { type IdentifiedValue, whatChoices, whatTitle } from '../../../../src/explorer/screens/what/state.ts';
import { browserOf, last, press, told } from '../../support/fake-world.ts';
import { layersOf, openState, overlayOf } from '../../support/layers.ts';
import { onFirstPage, run } from '../../support/list-scenes.ts';
import { hexId } from '../../support/provision-pages.ts';

const MARKET = hexId(1_000_001);

const ANSWER: WhatAnswer = {
  value: MARKET,
  formNotes: ['64 hex digits'],
  roles: [
    { role: 'market', text: 'HELDA/HUSD', where: 'markets', lead: { entity: 'market', id: MARKET } },
    { role: 'named by you', text: '@mine', where: 'your settings' },
  ],
  notFound: ['not among the 46 oracle specs listed'],
  unchecked: ['validators: this node does not serve them'],
  notServed: ['api/v2/nodes'],
  requests: 8,
};

const identified = (session: Session): IdentifiedValue => openState<IdentifiedValue>(session, 'what');

const lines = (session: Session): readonly string[] =>
  whatChoices(identified(session)).map(({ mark, label, detail }) => `${mark} ${label} ${detail}`.trim());

describe('Value pasted into the command line', () => {
  it('A pasted value is saved, looked up and shown without the login of an address', async () => {
    const { session, world } = await onFirstPage();
    press(session, ':');
    session.paste('https://user:hunter2@node.example');
    press(session, 'enter');
    expect(last(world.values).asked).toBe('https://***@node.example');
    expect(JSON.stringify(session.state())).not.toContain('hunter2');
  });

  it('A pasted value is looked up with Enter; Enter on a result goes there, and Backspace comes back', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'j', 'j');
    const before = browserOf(session);
    press(session, ':');
    session.paste(`"${MARKET}"\r\n`);
    press(session, 'enter');
    expect(lines(session)).toEqual(['asking the node in twelve requests at most; Esc stops it']);
    expect(last(world.values).asked).toBe(`"${MARKET}"`);
    last(world.values).answer(ANSWER);
    await told();
    expect(lines(session)).toEqual([
      '6 market HELDA/HUSD  (markets)',
      `2   provisions of this market ${MARKET}`,
      `3   paid fees of this market ${MARKET}`,
      'named by you @mine  (your settings)',
      'by its form 64 hex digits',
      'not found not among the 46 oracle specs listed',
      'not checked validators: this node does not serve them',
      'requests 8',
    ]);
    press(session, 'j', 'j', 'enter');
    expect(session.state().tab).toBe('fees');
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [MARKET] });
    press(session, 'backspace');
    expect({ ...browserOf(session), prefetching: before.prefetching }).toEqual(before);
  });

  it('A pasted value leads to no list that the node does not serve', async () => {
    const { session, world } = await onFirstPage();
    const address = `0x${'ab'.repeat(20)}`;
    run(session, address);
    const lead = { entity: 'submitter', id: address } as const;
    const roles: WhatAnswer['roles'] = [{ role: 'submitter', text: '4 bundles', where: 'bundles', lead }];
    last(world.values).answer({ ...ANSWER, roles, formNotes: [], notFound: [], unchecked: [] });
    await told();
    expect(lines(session)).toEqual(['4 submitter 4 bundles  (bundles)', 'requests 8']);
  });

  it('A pasted value leads from the first line on, to the list where each role was found', async () => {
    const { session, world } = await onFirstPage();
    const address = `0x${'ab'.repeat(20)}`;
    run(session, address);
    const roles: WhatAnswer['roles'] = [
      { role: 'yours', text: 'marked as your submitter', where: 'mine.json' },
      { role: 'party with fees', text: '1 epoch', where: 'fees', lead: { entity: 'party', id: MARKET } },
      { role: 'submitter', text: '4 bundles', where: 'bundles', lead: { entity: 'submitter', id: address } },
    ];
    last(world.values).answer({ ...ANSWER, roles, formNotes: [], notFound: [], unchecked: [], notServed: [] });
    await told();
    expect(lines(session)).toEqual([
      '3 party with fees 1 epoch  (fees)',
      `2   provisions of this party ${MARKET}`,
      `E what it earned ${MARKET}`,
      '4 submitter 4 bundles  (bundles)',
      `7   the validator with this address ${address}`,
      'yours marked as your submitter  (mine.json)',
      'requests 8',
    ]);
    press(session, 'j', 'j', 'j', 'enter');
    expect(session.state().tab).toBe('bundles');
    expect(last(world.pages).asked.request.filters).toEqual({ submitter: [address] });
  });

  it('A pasted value is no longer looked up once Esc has closed its overlay', async () => {
    const { session, world } = await onFirstPage();
    run(session, MARKET);
    press(session, 'esc');
    expect(last(world.values).signal.aborted).toBe(true);
    last(world.values).answer(ANSWER);
    await told();
    expect(layersOf(session)).toEqual([]);
  });

  it('A pasted value gets the reason when nothing is known because the node cannot be asked', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'what validators.epoch.length');
    last(world.values).fail(new Error('connection refused'));
    await told();
    expect(lines(session)).toEqual(['not known connection refused']);
    press(session, 'enter');
    expect(session.state().notice?.text).toBe('connection refused');
  });

  it('A pasted value has a title of one line, whatever it is', async () => {
    const { session } = await onFirstPage();
    run(session, `what \u001b[2J${'x'.repeat(3000)}`);
    const title = whatTitle(identified(session));
    expect(title.length).toBeLessThan(90);
    expect(title).not.toMatch(/[\x00-\x1f]/);
  });

  it('A mistyped word is not looked up as a value, and keeps its error message', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'relaod');
    expect(overlayOf(session.state())).toMatchObject({
      kind: 'prompt',
      problem: expect.stringContaining('no command'),
    });
    expect(world.values).toEqual([]);
  });
});
