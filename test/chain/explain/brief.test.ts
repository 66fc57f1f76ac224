import { describe, expect, it } from 'vitest';
import { briefOf } from '../../../src/chain/explain/brief.ts';

const line = (label: string, text: string, short?: string) => ({ label, text, ...(short !== undefined && { short }) });

const market = {
  parts: [
    {
      title: '',
      lines: [line('', 'BTC/USDT  Bitcoin'), line('state', 'ACTIVE'), line('product', 'future'), line('', 'odd')],
    },
    { title: 'Oracle specs it uses', lines: [line('settlement', 'aa')] },
    {
      title: 'How fees are shared',
      lines: [line('', 'by share'), line('share', '12'), line('aa', '12.3 4.5', '12.3 %')],
    },
  ],
  json: {},
  copies: [],
};

describe('Explanation in brief', () => {
  it('An explanation in brief has its first sentences, and the facts and the part that its list is opened for', () => {
    expect(briefOf('markets', market)).toEqual({
      sentences: [line('', 'BTC/USDT  Bitcoin')],
      without: ['name'],
      facts: [{ label: 'product', line: line('product', 'future') }],
      next: { title: 'How fees are shared', lines: [{ label: 'aa', line: line('aa', '12.3 4.5', '12.3 %') }] },
    });
  });

  it('An explanation in brief has the same labels before it is known, so that only values move in', () => {
    const labels = (explanation: typeof market | undefined) =>
      briefOf('markets', explanation).facts.map(({ label }) => label);
    expect(labels(undefined)).toEqual(labels(market));
    expect(briefOf('markets', undefined).next.lines).toEqual([]);
  });

  it('The part that leads on keeps its title while it is not known, and its labels where a record has none of it', () => {
    expect(briefOf('markets', undefined).next.title).toBe('How fees are shared');
    expect(briefOf('validators', undefined).next.title).toBe('');
    const pending = { parts: [{ title: '', lines: [line('fee', '1 %')] }], json: {}, copies: [] };
    const { title, lines } = briefOf('provisions', pending).next;
    expect([title, lines[0]]).toEqual(['How fees are shared', { label: 'share of fees', line: undefined }]);
  });

  it('Signers of a bundle stand by their names, those with a problem first, whatever the order of the signatures', () => {
    const signed = (...lines: readonly ReturnType<typeof line>[]) =>
      briefOf('bundles', { parts: [{ title: 'Signed by (form v1)', lines }], json: {}, copies: [] }).next.lines;
    const bad = { ...line('duplicate', 'bb'), tone: 'bad' as const };
    expect(signed(line('Dunlin', 'dd'), line('Ashgrove', 'aa'), bad).map(({ label }) => label)).toEqual([
      'duplicate',
      'Ashgrove',
      'Dunlin',
    ]);
  });

  it('What is said of several is said in one line', () => {
    const lines = ['Gannet', 'Farolito'].map(name => line('can be removed', `${name}: 4 bundles`, name));
    const parts = [{ title: 'Why the multisig score is 0', lines }];
    const next = briefOf('validators', { parts, json: {}, copies: [] }).next.lines;
    expect(next.map(({ line }) => line?.short)).toEqual(['Gannet, Farolito']);
  });

  it('An explanation in brief of an unknown list has its sentences', () => {
    expect(briefOf('constructor', market)).toMatchObject({ sentences: [{ text: 'BTC/USDT  Bitcoin' }], facts: [] });
  });
});
