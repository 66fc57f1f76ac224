import { describe, expect, it } from 'vitest';
import { paidLiquidityFees } from '../../../../../src/chain/resources/paid-liquidity-fees.ts';
import { focusedField } from '../../../../../src/explorer/app/focus.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { market as aMarket, asset as anAsset, directoryWith } from '../../../../chain/directory/directories.ts';
import { answerPage, browserOf, press } from '../../../support/fake-world.ts';
import { offered, onOnlyPage, showing, type } from '../../../support/list-scenes.ts';
import { hexId, pageOf } from '../../../support/provision-pages.ts';

const [NAMED, SEEN, PARTY, ASSET, UNKNOWN] = [hexId(1), hexId(2), hexId(3), hexId(4), hexId(5)];

const named = {
  type: 'directory-known',
  from: 'node',
  atMs: 0,
  isOld: false,
  names: directoryWith({
    markets: [[NAMED, aMarket({ code: 'HELDA/HUSD' })]],
    assets: [[ASSET, anAsset()]],
  }),
} as const;

const FEES = pageOf([
  {
    market: SEEN,
    asset: ASSET,
    epochSeq: '4',
    totalFeesPaid: '1',
    feesPaidPerParty: [{ party: PARTY, amount: '1', quantumAmount: '1' }],
  },
]);

/** A bar that opened by itself; what the fees named was seen, and one market has a name. */
async function opened() {
  const { session, world } = await offered();
  await answerPage(world, FEES);
  session.dispatch(named);
  return session;
}

const field = (session: Session) => browserOf(session).filterBar?.field;

describe('ID pasted into the filters', () => {
  it.each([
    ['a market with a name', NAMED, 0],
    ['a market that has none here, settled or new, and was seen in a row', SEEN, 0],
    ['a party that was seen', PARTY, 1],
    ['a party that was seen, in other letters', ` ${PARTY.toUpperCase()} `, 1],
    ['what is no market known here', UNKNOWN, 1],
    ['an asset, for which there is no field,', ASSET, 0],
    ['the beginning of an id', '78', 0],
  ])('A pasted ID goes where %s belongs', async (_, pasted, place) => {
    const session = await opened();
    session.paste(pasted);
    expect(field(session)).toBe(place);
    expect(focusedField(session.state()).text.trim()).toBe(pasted.trim());
  });

  it('A pasted ID says why it went elsewhere', async () => {
    const known = await opened();
    known.paste(PARTY);
    expect(known.state().notice?.text).toBe('recognised as party: put into that field');
    const unknown = await opened();
    unknown.paste(UNKNOWN);
    expect(unknown.state().notice?.text).toBe('no market known here has this id: put into the party field');
  });

  it('A pasted ID stays where it is as long as no market is known', async () => {
    const { session } = await offered();
    session.paste(UNKNOWN);
    expect(field(session)).toBe(0);
  });

  it('A pasted ID leaves a field that was chosen only for the field of its known kind', async () => {
    const { session } = await onOnlyPage();
    session.dispatch(named);
    press(session, 'f');
    session.paste(UNKNOWN);
    expect(field(session)).toBe(0);
    press(session, 'esc', 'f', 'tab');
    session.paste(NAMED);
    expect([field(session), focusedField(session.state()).text]).toEqual([0, NAMED]);
  });

  it('A pasted ID moves neither into a field that holds something, nor out of one', async () => {
    const { session } = await onOnlyPage();
    session.dispatch(named);
    press(session, 'f');
    type(session, NAMED);
    press(session, 'tab');
    session.paste(NAMED);
    expect([field(session), focusedField(session.state()).text]).toEqual([1, NAMED]);
    session.paste(NAMED);
    expect(field(session)).toBe(1);
  });

  it('A pasted ID goes where it belongs whatever was selected in the list below', async () => {
    const session = await opened();
    press(session, 'down');
    session.paste(SEEN);
    expect([field(session), focusedField(session.state()).text]).toEqual([0, SEEN]);
    const other = await opened();
    press(other, 'down');
    other.paste(PARTY);
    expect([field(other), focusedField(other.state()).text]).toEqual([1, PARTY]);
  });

  it('A pasted ID finds its field in other lists too', async () => {
    const { session } = await showing(FEES, { tab: 'fees' });
    session.dispatch(named);
    press(session, 'f');
    session.paste(ASSET);
    expect(paidLiquidityFees.filters[field(session) ?? 0]?.entity).toBe('asset');
    press(session, 'esc', 'f');
    session.paste(PARTY);
    expect(paidLiquidityFees.filters[field(session) ?? 0]?.entity).toBe('party');
  });
});
