import { createServer } from 'node:http';
import { afterAll, expect, it, vi } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { spellAddress } from '../../../src/chain/insight/address.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { urlOf } from '../../support/loopback.ts';
import { VECTORS } from '../insight/signer-bundle/vectors.ts';

const [first] = VECTORS.eip55;
const { lower, checksum } = first ?? { lower: '', checksum: '' };

const server = createServer((_, response) => {
  const pages = RESOURCES.map(({ wrapperKey }) => [wrapperKey, { edges: [], pageInfo: {} }]);
  response.end(JSON.stringify(Object.fromEntries(pages)));
});
const client = createClient({ base: baseAddress(await urlOf(server)) });
afterAll(() => server.close());

const showsAddresses = ({ columns, kinds }: Resource): boolean =>
  [...columns.map(({ kind }) => kind), ...Object.values(kinds)].includes('address');

it('Addresses have their checksum once a page of a list with addresses is loaded, at no cost to other lists', async () => {
  // As in a program that has just started: what is loaded once stays.
  vi.resetModules();
  const { fetchPage } = await import('../../../src/chain/resources/fetch-page.ts');
  const { longText, shortText } = await import('../../../src/chain/insight/kind.ts');
  const fetchFirst = (resource: Resource) =>
    fetchPage(client, resource, { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } });
  const [withAddresses, without] = [RESOURCES.filter(showsAddresses), RESOURCES.filter(one => !showsAddresses(one))];
  expect(withAddresses.map(({ id }) => id)).toEqual(expect.arrayContaining(['bundles', 'validators']));
  expect(without.map(({ id }) => id)).toContain('parameters');
  for (const resource of without) await fetchFirst(resource);
  expect(shortText('address', lower, 0)).toBe(lower);
  for (const resource of withAddresses) {
    await fetchFirst(resource);
    expect([shortText('address', lower, 0), longText('address', lower, 0)]).toEqual([checksum, checksum]);
  }
});

it.each(VECTORS.eip55)('The address $lower is shown as $checksum, also when it comes in upper case', example => {
  expect(spellAddress(example.lower)).toBe(example.checksum);
  expect(spellAddress(`0x${example.lower.slice(2).toUpperCase()}`)).toBe(example.checksum);
  expect(spellAddress(example.checksum)).toBe(example.checksum);
});

it.each([
  ['in both cases with a wrong checksum, which somebody may have mistyped', checksum.replace('Fa', 'fA')],
  ['that is too short', lower.slice(0, -1)],
  ['that is too long', `${lower}0`],
  ['that is none', 'network'],
  ['that is empty', ''],
])('An address %s is shown as received', (_, text) => expect(spellAddress(text)).toBe(text));

it('Addresses are all shown with checksum, however many there are', () => {
  const addresses = Array.from({ length: 5000 }, (_, index) => `0x${index.toString(16).padStart(40, 'a')}`);
  const spelt = addresses.map(spellAddress);
  expect(spelt.map(text => text.toLowerCase())).toEqual(addresses);
  expect(addresses.map(spellAddress)).toEqual(spelt);
});
