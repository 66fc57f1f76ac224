import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../src/chain/api/errors.ts';
import { focusedField } from '../../../../../src/explorer/app/focus.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { renderFrame } from '../../../support/frame.ts';
import { overlayOf, placeOf } from '../../../support/layers.ts';
import { barTexts, LIVE, offered, onFirstPage, run, showing, type } from '../../../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../../../support/provision-pages.ts';

const market = hexId(77);

async function filtering() {
  const { session, world } = await onFirstPage();
  press(session, 'f');
  return { session, world };
}

const failure = new RefusedError(500, { message: 'Internal error', details: [] }, { url: 'http://n/', hint: 'wait' });

describe('Filter bar', () => {
  it('The filter bar requests what was typed, normalised, from the first page on', async () => {
    const { session, world } = await filtering();
    type(session, ` ${market.toUpperCase()} `);
    press(session, 'tab', 'tab', 'tab');
    type(session, 'Yes');
    press(session, 'enter');
    expect(last(world.pages).asked.request).toMatchObject({
      filters: { marketId: [market], live: ['true'] },
      position: { kind: 'first' },
    });
    expect(browserOf(session).filterBar).toBeNull();
  });

  it.each([
    [0, 'xyz', 'market must be a market ID (64 hex digits), not "xyz"'],
    [0, 'abc', 'market must be a market ID (64 hex digits), not "abc"'],
    [3, 'maybe', 'live must be true or false, not "maybe"'],
  ])('The filter bar puts the cursor into field %i for %s and says what it expects', async (field, text, problem) => {
    const { session, world } = await filtering();
    press(session, ...Array.from({ length: field }, () => 'tab'));
    type(session, text);
    press(session, 'shift-tab', 'enter');
    expect(browserOf(session).filterBar).toMatchObject({ field, problem });
    expect(world.pages.length).toBe(1);
  });

  it('The filter bar cancels the page in flight when filters change, and its late answer changes nothing', async () => {
    const { session, world } = await startSession();
    const first = last(world.pages);
    press(session, 'f');
    type(session, market);
    press(session, 'enter');
    expect(first.signal.aborted).toBe(true);
    first.answer({ page: provisionPage(1), facts: { rate: {} }, size: 50 });
    await told();
    expect(browserOf(session).page).toBeNull();
    await answerPage(world, pageOf([provision(3)]));
    expect(browserOf(session).page?.rows.length).toBe(1);
  });

  it('The filter bar takes several parties, separated by commas or spaces', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'fees' });
    press(session, 'f', 'shift-tab');
    type(session, `${hexId(1)},${hexId(2)}  ${hexId(3)}`);
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ partyIds: [hexId(1), hexId(2), hexId(3)] });
  });

  it('The filter bar offers IDs seen in rows, inserts them by arrow key and takes them back', async () => {
    const { session } = await filtering();
    press(session, 'down');
    const offered = focusedField(session.state()).text;
    expect(session.state().seen.market).toContain(offered);
    press(session, 'down');
    expect(focusedField(session.state()).text).not.toBe(offered);
    press(session, 'up', 'up');
    expect(focusedField(session.state()).text).toBe('');
  });

  it('The filter bar leaves typed text unchanged when there is nothing to offer', async () => {
    const { session } = await filtering();
    press(session, 'tab', 'tab');
    type(session, 'my reference');
    press(session, 'down');
    expect(focusedField(session.state()).text).toBe('my reference');
  });

  it('The filter bar leaves typed text unchanged when up is pressed with no suggestion taken', async () => {
    const { session } = await filtering();
    type(session, 'abcd');
    press(session, 'up');
    expect(focusedField(session.state()).text).toBe('abcd');
  });

  it('The filter bar fills in the IDs of the selected row on =', async () => {
    const { session } = await onFirstPage();
    press(session, 'j', '=');
    expect(barTexts(session)?.slice(0, 2)).toEqual([hexId(1_000_001), hexId(2_000_001)]);
  });

  it('The filter bar changes nothing on Esc', async () => {
    const { session, world } = await filtering();
    type(session, market);
    press(session, 'esc');
    expect(browserOf(session)).toMatchObject({ filterBar: null, filters: LIVE });
    expect(world.pages.length).toBe(1);
  });

  it('The filter bar clears filters and search with one key and requests the list again', async () => {
    const { session, world } = await filtering();
    type(session, market);
    press(session, 'enter');
    await answerPage(world, provisionPage(1));
    press(session, 'x');
    expect(last(world.pages).asked.request.filters).toEqual(LIVE);
    await answerPage(world, provisionPage(1));
    press(session, 'x');
    expect(session.state().notice?.text).toBe('no filter is set');
  });

  it('The filter bar is off when the node has no filters', async () => {
    const { session } = await startSession({ tab: 'oracles' });
    press(session, 'f');
    expect(session.state().notice?.text).toBe('this list has no filters: / finds');
  });

  it('The filter bar opens with the message of a node that demands a market or a party, and fetches IDs to offer', async () => {
    const { session, world } = await startSession();
    const inner = 'partyID: , marketID: , reference: : market or party filters are required';
    const detail = { type: 'vega.ErrorDetail', code: '280001', message: 'failed', inner, rest: {} };
    const fault = { code: 13, message: 'Internal error', details: [detail] };
    last(world.pages).fail(new RefusedError(500, fault, { url: 'http://n/', hint: '' }));
    await told();
    expect(placeOf(session.state())).toBe('offered-filters');
    expect(browserOf(session)).toMatchObject({
      failure: null,
      demand: 'This node lists provisions only by market or party. Choose one.',
    });
    expect(last(world.pages).asked.resource).toBe('fees');
    await answerPage(world, pageOf([{ market, asset: hexId(9), epochSeq: '4', feesPaidPerParty: [] }]));
    press(session, 'down', 'enter');
    expect(last(world.pages).asked.request.filters.marketId).toEqual([market]);
    await answerPage(world, pageOf([provision(1)]));
    expect(browserOf(session).demand).toBeNull();
  });

  it('The filter bar takes no letter and no digit while it is open by itself, but takes a paste', async () => {
    const { session } = await offered();
    press(session, '3');
    expect(session.state().tab).toBe('fees');
    press(session, 'shift-tab', '?');
    expect(overlayOf(session.state())).toMatchObject({ id: 'keys' });
    press(session, 'esc');
    expect(placeOf(session.state())).toBe('offered-filters');
    session.paste(market);
    expect(placeOf(session.state())).toBe('filters');
    expect(focusedField(session.state()).text).toBe(market);
  });

  it.each(['f', 'enter'])('The filter bar takes letters and digits once it was opened by %s', async key => {
    const { session } = await offered();
    press(session, key);
    expect(placeOf(session.state())).toBe('filters');
    press(session, 'tab', 'esc');
    expect(placeOf(session.state())).toBe('offered-filters');
  });

  it('The filter bar requests the filtered list on r when the filtered list failed', async () => {
    const { session, world } = await filtering();
    type(session, market);
    press(session, 'enter');
    last(world.pages).fail(failure);
    await told();
    press(session, 'r');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, marketId: [market] });
  });

  it('The filter bar requests the filtered list on r while the filtered list is on its way', async () => {
    const { session, world } = await filtering();
    type(session, market);
    press(session, 'enter', 'r');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, marketId: [market] });
  });

  it.each(['cancelled', 'failed'])(
    'The filter bar shows the filters that made the rows on the screen when new ones are %s',
    async how => {
      const { session, world } = await filtering();
      type(session, market);
      press(session, 'enter');
      if (how === 'failed') last(world.pages).fail(failure);
      await told();
      press(session, 'esc');
      expect(browserOf(session).filters).toEqual(browserOf(session).page?.request.filters);
    },
  );
});

describe('List of a node that demands a filter', () => {
  const inner = 'partyID: , marketID: , reference: : market or party filters are required';
  const detail = { type: 'vega.ErrorDetail', code: '280001', message: 'failed', inner, rest: {} };
  const demand = () =>
    new RefusedError(500, { code: 13, message: 'Internal error', details: [detail] }, { url: 'http://n/', hint: '' });

  it('A refused list leaves no rows of other filters, and the bar has the filters in force', async () => {
    const { session, world } = await startSession({ tab: 'parameters' });
    press(session, '2');
    last(world.pages).fail(demand());
    await told();
    await answerPage(world, pageOf([{ market, asset: hexId(9), epochSeq: '4', feesPaidPerParty: [] }]));
    press(session, 'f', 'down', 'enter');
    await answerPage(world, provisionPage(1));
    press(session, 'x');
    last(world.pages).fail(demand());
    await told();
    for (const key of ['r', 'esc']) {
      expect(browserOf(session)).toMatchObject({ filters: LIVE, page: null });
      expect(barTexts(session)).toEqual(['', '', '', 'true']);
      expect(renderFrame(session.state())).toContain('MARKET  ');
      press(session, key);
      if (key === 'r') {
        last(world.pages).fail(demand());
        await told();
      }
    }
  });

  it('A list has no filter bar over the rows of a command, nor over rows that the node lists all the same', async () => {
    const { session, world } = await offered();
    run(session, `provisions market=${market}`);
    expect(browserOf(session).filterBar).toBeNull();
    await answerPage(world, provisionPage(1));
    expect(placeOf(session.state())).toBe('list');
    press(session, 'x');
    last(world.pages).fail(demand());
    await told();
    press(session, 'r');
    expect(placeOf(session.state())).toBe('offered-filters');
    await answerPage(world, provisionPage(1));
    expect(placeOf(session.state())).toBe('list');
  });
});

describe('Next page of a list', () => {
  it('The next page is of the list whose rows are there, even after another list was refused', async () => {
    const { session, world } = await filtering();
    type(session, market);
    press(session, 'enter');
    last(world.pages).fail(failure);
    await told();
    press(session, 'n');
    expect(last(world.pages).asked.request).toMatchObject({
      filters: LIVE,
      position: { kind: 'after', cursor: 'end-1' },
    });
    expect(browserOf(session).filters).toEqual(LIVE);
  });
});
