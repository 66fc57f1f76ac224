import { expect, it } from 'vitest';
import { get, json, proxied } from './proxied.ts';

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0;

it('one that pages with 50 requests at a time does not keep ten readers waiting', async () => {
  const perSecond = 40;
  await using proxy = await proxied(response => json(response), { perSecond });
  const stop = new AbortController();
  const ask = async (client: string, query: string) => {
    const [sentMs, before] = [performance.now(), proxy.asked.length];
    const target = `/api/v2/markets?pagination.after=${query}`;
    const { status } = await get(proxy.url + target, { 'x-blockglass-client': client });
    expect(status).toBe(200);
    return { ms: performance.now() - sentMs, turns: proxy.asked.indexOf(target) - before };
  };
  const pages: number[] = [];
  const page = async (lane: number): Promise<void> => {
    for (let number = 0; !stop.signal.aborted; number++) pages.push((await ask('pager', `p${lane}-${number}`)).ms);
  };
  const lanes = Array.from({ length: 50 }, (_, lane) => page(lane));
  // The pager has the proxy for itself first, and spends all of its burst.
  await expect.poll(() => pages.length).toBeGreaterThan(2 * perSecond);
  const alone = pages.length;
  const reads: { readonly ms: number; readonly turns: number }[] = [];
  const read = async (reader: number): Promise<void> => {
    for (let number = 0; number < 8; number++) reads.push(await ask(`reader-${reader}`, `r${reader}-${number}`));
  };
  await Promise.all(Array.from({ length: 10 }, (_, reader) => read(reader)));
  stop.abort();
  await Promise.all(lanes);
  // In one line for all, a reader would wait for the 50 requests of the pager.
  expect(
    percentile(
      reads.map(({ turns }) => turns),
      0.95,
    ),
  ).toBeLessThan(30);
  expect(
    percentile(
      reads.map(({ ms }) => ms),
      0.95,
    ),
  ).toBeLessThan(percentile(pages.slice(alone), 0.5));
});
