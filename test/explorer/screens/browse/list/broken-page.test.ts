import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../../src/chain/api/client.ts';
import { parseJson } from '../../../../../src/chain/api/json.ts';
import { fetchPage } from '../../../../../src/chain/resources/fetch-page.ts';
import { networkParameters } from '../../../../../src/chain/resources/network-parameters.ts';
import { drawScreen } from '../../../../../src/explorer/app/frame/screen.ts';
import type { ScreenRow } from '../../../../../src/explorer/core/line.ts';
import { BROKEN_PAGES } from '../../../../support/broken-pages.ts';
import { clientOf } from '../../../../support/client.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { onFirstPage, showing } from '../../../support/list-scenes.ts';
import { pageOf, provisionPage } from '../../../support/provision-pages.ts';

describe('Broken page', () => {
  it.each(BROKEN_PAGES.flatMap(({ rows, ...broken }) => (rows === undefined ? [] : [{ ...broken, rows }])))(
    'A broken page with $what shows the rows that can be read, and says on the screen what it is',
    async ({ answer, says, rows }) => {
      const world = await startSession({ tab: 'parameters', columns: 120 });
      const page = await fetchPage(clientAnswering(answer), networkParameters, anyFive);
      await answerPage(world.world, page.page);
      const text = drawScreen(world.session.state()).map(rowText).join('\n');
      expect(browserOf(world.session).page?.rows.length).toBe(rows);
      expect(text).toContain(says);
      expect(text).not.toContain('the node has no');
      press(world.session, 'n');
      expect(world.session.state().notice?.text).not.toBe('this is the last page');
    },
  );

  it('A broken page is reported again after each key, for as long as it is shown', async () => {
    const { session, world } = await showing(
      { ...provisionPage(1), flaws: ['3 of the 53 edges on this page cannot be read'] },
      { columns: 120 },
    );
    press(session, 'j', 'y', 'esc');
    expect(drawScreen(session.state()).map(rowText).join('\n')).toContain('3 of the 53 edges');
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    expect(drawScreen(session.state()).map(rowText).join('\n')).not.toContain('3 of the 53 edges');
  });

  it('A broken page is marked when it holds the same rows as the one before', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, { ...provisionPage(1), endCursor: 'moved on' });
    expect(browserOf(session).page?.flaws).toEqual(['the node sends the same rows again under another cursor']);
  });

  it('A page is not marked as broken when it is reloaded, nor when both are empty', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    expect(browserOf(session).page?.flaws).toEqual([]);
    const empty = await showing(pageOf([], { hasNextPage: true }));
    press(empty.session, 'n');
    await answerPage(empty.world, pageOf([]));
    expect(browserOf(empty.session).page).toMatchObject({ number: 2, flaws: [] });
  });

  it('A page that was too large for the node is requested with fewer rows from then on', async () => {
    const { session, world } = await startSession();
    last(world.pages).answer({ page: provisionPage(1, 13), facts: { rate: {} }, size: 13 });
    await told();
    expect(session.state().notice?.text).toBe(
      'a page of 50 rows is too large for this node: 13 rows a page from now on',
    );
    press(session, 'n');
    expect(last(world.pages).asked.request).toMatchObject({ size: 13, position: { kind: 'after' } });
    press(session, 'esc', 'r');
    expect(last(world.pages).asked.request).toMatchObject({ size: 13, position: { kind: 'first' } });
  });
});

const anyFive = { filters: {}, size: 5, newestFirst: true, position: { kind: 'first' } } as const;

/** A client whose every answer is this. */
function clientAnswering(answer: unknown): Client {
  const json = parseJson(JSON.stringify(answer));
  return clientOf(async () => ({ json, facts: { rate: {} }, bytes: 0, elapsedMs: 0 }));
}

const rowText = (row: ScreenRow): string => (row.kind === 'line' ? row.line.map(({ text }) => text).join('') : '');
