import { atMost, median, ratioTo, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { type KeyCosts, ownCosts } from './keys.ts';

/** A bar draws the text of two rows again, which names make longer or shorter: only without one can a key cost the same. */
const EDGES = ['--selection', 'edges'];
const PRESSES = { inPage: 25, scrolling: 25, pageDown: 20 };

/** What a key costs on a node that says what its markets, assets and parties are called, against one that does not. */
export const names: Section = async ({ isFull, onceAtFullSpeed }) => {
  const [plain, named] = [await startServer(), await startServer({ hasNames: true })];
  const costs: { readonly plain: KeyCosts[]; readonly named: KeyCosts[] } = { plain: [], named: [] };
  try {
    for (let round = 0; round < (isFull ? 3 : 1); round++) {
      costs.plain.push(await onceAtFullSpeed(() => ownCosts(plain.url, PRESSES, EDGES)));
      costs.named.push(await onceAtFullSpeed(() => ownCosts(named.url, PRESSES, EDGES)));
    }
  } finally {
    plain.stop();
    named.stop();
  }
  const without = (of: keyof KeyCosts) => median(costs.plain.map(cost => cost[of]));
  const withNames = (of: keyof KeyCosts) => median(costs.named.map(cost => cost[of]));
  const against = (what: string, of: keyof KeyCosts, limit: number, unit: string) =>
    ratioTo('names', what, { value: withNames(of), peer: 'without names', peerValue: without(of), limit, unit });
  return [
    against('row down in the page, with names', 'inPage', 1, 'bytes'),
    // A row that comes into view is written, whatever stands in it: names are other text, held to the goal of any.
    atMost('names', 'row down scrolling, with names', withNames('scrolling'), 240, 'bytes'),
    atMost('names', 'page down, with names', withNames('pageDown'), 5200, 'bytes'),
    against('key to last byte, with names', 'medianMs', 1.05, 'ms'),
  ];
};
