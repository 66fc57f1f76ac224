import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/chain/api/json.ts';
import type { KnownNames } from '../../../src/chain/directory/cached-names.ts';
import { proposedFileName } from '../../../src/explorer/app/saving.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { asset, directoryWith } from '../../chain/directory/directories.ts';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, last, press, startSession, told } from '../support/fake-world.ts';
import { menuItems, overlayOf, placeOf, withOverlayOf } from '../support/layers.ts';
import { onFirstPage, onOnlyPage, run, showing, type } from '../support/list-scenes.ts';
import { answerNames, NamingWorld } from '../support/naming-world.ts';
import { feesOf } from '../support/paid-fees.ts';
import { hexId, pageOf, provision, provisionPage } from '../support/provision-pages.ts';
import { requestsTold } from '../support/requests-told.ts';

function labelled(session: Session): ReadonlyMap<string, string> {
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'menu') throw new Error('no menu is open');
  return new Map(menuItems(session.state(), overlay).map(({ label, detail }) => [label, detail]));
}

const promptOf = (session: Session) => {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'prompt' ? { value: overlay.value, problem: overlay.problem } : undefined;
};

describe('Saving what is shown', () => {
  it('A save proposes a name from the list, its filters and its time, and says how many rows there are', async () => {
    const { session, world } = await onFirstPage();
    tell(session, { type: 'set-filter', name: 'marketId', value: hexId(0xab) });
    await answerPage(world, provisionPage(1));
    press(session, 'W');
    expect(promptOf(session)).toEqual({ value: 'provisions-market-0000-20270115T080000Z.csv', problem: null });
    press(session, 'enter');
    const { asked, answer } = last(world.saves);
    expect(asked).toMatchObject({ what: '50 rows', mayReplace: false, content: { kind: 'rows', form: 'csv' } });
    answer({ kind: 'saved', path: './x.csv' });
    await told();
    expect(withOverlayOf(session.state())).toMatchObject({
      saving: null,
      overlay: null,
      notice: { text: 'saved 50 rows to ./x.csv, no units', tone: 'good' },
    });
  });

  it('A save says that amounts have no units when these were unknown, and only then', async () => {
    const savedAs = async (names: KnownNames['names'], name: string): Promise<string | undefined> => {
      const world = new NamingWorld();
      const { session } = await startSession({ world });
      await answerPage(world, provisionPage(1));
      await answerNames(world, { names, isOld: false });
      run(session, `save ${name}`);
      last(world.saves).answer({ kind: 'saved', path: `./${name}` });
      await told();
      return session.state().notice?.text;
    };
    const known = directoryWith({ assets: [['ab', asset({ symbol: 'HUSD' })]] });
    expect(await savedAs(known, 'x.csv')).toBe('saved 50 rows to ./x.csv');
    expect(await savedAs({}, 'x.tsv')).toBe('saved 50 rows to ./x.tsv, no units');
    // As the node sent it, or as it is shown.
    for (const ending of ['json', 'ndjson', 'md'])
      expect(await savedAs({}, `x.${ending}`)).toBe(`saved 50 rows to ./x.${ending}`);
  });

  it('A save writes the rows that were found, as they are sorted', async () => {
    const { session, world } = await onOnlyPage(30);
    press(session, '/');
    type(session, 'reference-2');
    press(session, 'enter');
    tell(session, { type: 'sort-by', column: 'reference' });
    run(session, 'save all of it.ndjson');
    const { asked } = last(world.saves);
    expect([asked.path, asked.what]).toEqual(['all of it.ndjson', '11 rows']);
    const rows = asked.content.kind === 'rows' ? asked.content.list.rows.slice() : [];
    expect(rows.map(({ reference }) => reference)).toEqual([
      'reference-2',
      ...Array.from({ length: 10 }, (_, index) => `reference-2${index}`),
    ]);
  });

  it('A save applies an extension without a name to the proposed name', async () => {
    const { session, world } = await onOnlyPage(30);
    run(session, 'save .tsv');
    expect(last(world.saves).asked).toMatchObject({
      path: 'provisions-20270115T080000Z.tsv',
      content: { form: 'tsv' },
    });
  });

  it.each(['', 'x', 'x.pdf', 'csv', 'x.csv.part'])(
    'A save refuses the name "%s", and says which extensions there are',
    async name => {
      const { session, world } = await onFirstPage();
      press(session, 'W', 'ctrl-u');
      type(session, name);
      press(session, 'enter');
      expect(promptOf(session)).toEqual({ value: name, problem: 'the name ends in .csv .tsv .md .json .ndjson .txt' });
      expect(world.saves).toEqual([]);
      type(session, `${name}x.csv`);
      expect(promptOf(session)?.problem).toBe(null);
    },
  );

  it('A save asks before it replaces a file, and leaves the file for another name', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'save x.csv');
    last(world.saves).answer({ kind: 'exists', path: './x.csv' });
    await told();
    expect(overlayOf(session.state())).toEqual({ kind: 'confirm', id: 'replace-file' });
    expect(world.saves.length).toBe(1);
    press(session, 'n');
    expect(promptOf(session)).toEqual({ value: 'x.csv', problem: null });
    press(session, 'enter');
    last(world.saves).answer({ kind: 'exists', path: './x.csv' });
    await told();
    press(session, 'y');
    expect(last(world.saves).asked).toMatchObject({ mayReplace: true, path: 'x.csv', what: '50 rows' });
    last(world.saves).answer({ kind: 'saved', path: './x.csv' });
    await told();
    expect([session.state().notice?.text, placeOf(session.state())]).toEqual([
      expect.stringContaining('saved 50 rows to ./x.csv'),
      'list',
    ]);
  });

  it('A save says why a path cannot be written, in the field where the name can be corrected', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'save none/x.csv');
    last(world.saves).fail(new Error('the folder does not exist'));
    await told();
    expect(promptOf(session)).toEqual({ value: 'none/x.csv', problem: 'the folder does not exist' });
    press(session, 'esc');
    expect([overlayOf(session.state()), session.state().saving]).toEqual([null, null]);
  });

  it('A save does not call the user back from what was done meanwhile', async () => {
    for (const end of ['exists', 'fails'] as const) {
      const { session, world } = await onFirstPage();
      run(session, 'save x.csv');
      press(session, 's');
      if (end === 'exists') last(world.saves).answer({ kind: 'exists', path: 'x.csv' });
      else last(world.saves).fail(new Error('no room'));
      await told();
      expect(withOverlayOf(session.state())).toMatchObject({
        saving: null,
        overlay: { kind: 'menu' },
        notice: { tone: 'bad' },
      });
    }
  });

  it('A save of a record, a statement or the log has formats of its own', async () => {
    const { session, world } = await showing(pageOf([{ market: 'ab'.repeat(32), asset: 'cd' }]), { tab: 'fees' });
    press(session, 'enter', 'W');
    expect(promptOf(session)?.value).toMatch(/^paid_fee-.*\.json$/);
    press(session, 'enter');
    expect(last(world.saves).asked).toMatchObject({ what: 'the record', content: { kind: 'json', isIndented: true } });
    run(session, 'save x.txt');
    expect(last(world.saves).asked.content.kind).toBe('record');
    press(session, 'esc', 'T');
    press(session, 'W');
    expect(session.state().notice?.text).toBe('no statement yet');
    last(world.statements).answer(feesOf(last(world.statements).asked.question, 5));
    await told();
    press(session, 'W');
    expect(promptOf(session)?.value).toMatch(/^statement-.*\.csv$/);
    press(session, 'enter');
    expect(last(world.saves).asked).toMatchObject({
      what: 'the statement',
      content: { kind: 'statement', form: 'csv' },
    });
    press(session, 'L');
    last(world.tells).answer({ version: 1, requests: requestsTold(3) });
    await told();
    press(session, 'W');
    expect(promptOf(session)?.value).toMatch(/^requests-.*\.ndjson$/);
    press(session, 'enter');
    expect(last(world.saves).asked).toMatchObject({
      what: '3 requests',
      content: { kind: 'requests', form: 'ndjson' },
    });
  });

  it('A save is off when there is nothing to save, by key and by command', async () => {
    const { session, world } = await showing(pageOf([]));
    press(session, 'W');
    expect(withOverlayOf(session.state())).toMatchObject({
      overlay: null,
      notice: { text: 'no rows to save' },
    });
    run(session, 'save x.csv');
    expect([world.saves.length, session.state().notice?.text]).toEqual([0, 'no rows to save']);
  });
});

describe('Proposed file name', () => {
  it('A proposed file name has no character that is special to a shell or a file system', async () => {
    const { session, world } = await onFirstPage();
    tell(session, { type: 'set-filter', name: 'reference', value: '../$(x) \u001b[2J|;\u202e é' });
    await answerPage(world, provisionPage(1));
    expect(proposedFileName(session.state(), 'csv')).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(proposedFileName(session.state(), 'csv')).not.toContain('..');
    expect(proposedFileName(session.state(), 'txt', 'record as JSON')).toBe('record_as_JSON-20270115T080000Z.txt');
    expect(proposedFileName(session.state(), 'txt', `x ${'y'.repeat(82)}`)).toMatch(/^y{82}-2027/);
  });
});

describe('Copying by name', () => {
  it('A copy by name takes an item by its name or a part of it that no other has', async () => {
    const { session, world } = await showing(pageOf([provision(1), provision(2)]));
    for (const name of ['markdown', 'curl', 'table as CSV', 'id']) run(session, `copy ${name}`);
    for (const name of ['csv', 'record as json']) {
      run(session, `copy ${name}`);
      await session.idle();
    }
    expect(world.copies.map(({ what }) => what)).toEqual(expect.arrayContaining(['table as CSV', 'record as JSON']));
    expect(session.state().notice?.text).not.toContain('units');
    expect(JSON.parse(last(world.copies).text)).toEqual(provision(1));
  });

  it('A copy by name says that amounts have no units when these were unknown', async () => {
    const { session } = await showing(pageOf([provision(1), provision(2)]));
    run(session, 'copy table as CSV');
    await session.idle();
    expect(session.state().notice?.text).toMatch(/, no units$/);
  });

  it('A copy by name lists the items when a name matches none, or several', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'copy table');
    expect(promptOf(session)?.problem).toBe('which: table as CSV, table as TSV, table as Markdown?');
    press(session, 'esc');
    run(session, 'copy nothing');
    expect(promptOf(session)?.problem).toContain('nothing to copy is called "nothing"');
    press(session, 'esc');
    run(session, 'copy');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', id: 'copy' });
    expect(world.copies).toEqual([]);
  });

  it('A copy of many rows reads only the selected row before it is chosen', async () => {
    const unread: JsonObject = {
      get id(): string {
        throw new Error('a row was read');
      },
    };
    // The first of them are looked through for ids to offer.
    const rows = [...Array.from({ length: 600 }, (_, index) => provision(index)), ...Array(200_000).fill(unread)];
    const { session } = await showing(pageOf(rows));
    press(session, 'y', 'j', 'j', 'k');
    expect(labelled(session).get('table as CSV')).toBe('200 600 rows, the whole list');
    press(session, 'esc', 'W');
    expect(promptOf(session)?.problem).toBe(null);
  });

  it('A copy of a table says how many rows there are, and whether they are all', async () => {
    const detail = (session: Session) => {
      press(session, 'y');
      const items = labelled(session);
      press(session, 'esc');
      return items.get('table as CSV');
    };
    const some = await onFirstPage();
    expect(detail(some.session)).toBe('50 loaded rows');
    press(some.session, '/');
    type(some.session, 'reference-1');
    press(some.session, 'enter');
    expect(detail(some.session)).toBe('11 found of 50 loaded rows');
    const all = await onOnlyPage(3);
    expect(detail(all.session)).toBe('3 rows, the whole list');
  });
});
