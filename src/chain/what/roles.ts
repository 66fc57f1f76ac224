import { isId } from '../../base/text/ids.ts';
import { isJsonArray, type Json, type JsonObject, member } from '../api/json.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { definitionKey, type KnownDefinition, usesOfSpec } from '../directory/market-specs.ts';
import { readSignatureBytes } from '../insight/signer-bundle/signatures.ts';
import { utcTime } from '../insight/time.ts';
import { containsValue, isSame, nameOrEnds, roleNamed, statusWord, textAt, throughList } from './in-lists.ts';
import type { LookUp, Role } from './look-up.ts';

const INSTRUMENT = ['tradableInstrument', 'instrument'] as const;

/** The market with this id, and markets that contain it; where they cannot be read its provisions and fees. */
export const amongMarketsOrTheirs = (id: string): LookUp => ({
  ...amongMarkets(id),
  ifUnread: [amongProvisionsOfMarket(id), amongFeesOfMarket(id)],
});

/** The market with this id, code or name, and markets that contain the value elsewhere. */
export const amongMarkets = (value: string): LookUp =>
  throughList('markets', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const id = textAt(record, 'id');
      const [code, name] = [textAt(record, ...INSTRUMENT, 'code'), textAt(record, ...INSTRUMENT, 'name')];
      const lead = { entity: 'market', id } as const;
      const summary = [code, name, statusWord(textAt(record, 'state'))].filter(text => text !== '').join(', ');
      const shown = nameOf(directory, 'market', id) ?? '';
      const role = roleNamed(value, 'a market', { id: [id], name: [code, name, shown] });
      if (role !== undefined) return [{ role, text: withId(summary, id, value), lead, ...asUse(role) }];
      if (!isId(value)) return [];
      const use = usesOf(record, value);
      return use === '' ? [] : [{ role: use, text: nameOrEnds(directory, 'market', id), lead, isUse: true }];
    }),
  );

const USES = [
  ['settlementAsset', 'asset that a market settles in'],
  ['quoteAsset', 'asset that a spot market is paid in'],
  ['baseAsset', 'asset that a spot market trades'],
  ['dataSourceSpecForSettlementData', 'oracle spec that a market settles by'],
  ['dataSourceSpecForTradingTermination', 'oracle spec that ends the trading of a market'],
  ['dataSourceSpecForSettlementSchedule', 'oracle spec of the schedule of a market'],
] as const;

function usesOf(record: JsonObject, value: string): string {
  const instrument = member(member(record, 'tradableInstrument'), 'instrument');
  const products = ['future', 'perpetual', 'spot'].map(product => member(instrument, product));
  const use = USES.find(([name]) =>
    products.some(product => isSame(textAt(product, name) || textAt(product, name, 'id'), value)),
  );
  if (use !== undefined) return use[1];
  if (isSame(textAt(record, 'parentMarketId'), value)) return 'market that another one succeeds';
  if (isSame(textAt(record, 'successorMarketId'), value)) return 'market that succeeds another one';
  return containsValue(record, value) ? 'in the record of a market' : '';
}

/** The asset with this id, symbol, name or contract. */
export const amongAssets = (value: string): LookUp =>
  throughList('assets', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const id = textAt(record, 'id');
      const [symbol, name] = [textAt(record, 'details', 'symbol'), textAt(record, 'details', 'name')];
      const text = `${symbol}, ${name}, ${textAt(record, 'details', 'decimals') || 'unknown'} decimals`;
      const lead = { entity: 'asset', id } as const;
      const shown = nameOf(directory, 'asset', id) ?? '';
      const contract = textAt(record, 'details', 'erc20', 'contractAddress');
      const callings = { id: [id], name: [symbol, name, shown], 'token contract': [contract] };
      const role = roleNamed(value, 'an asset', callings);
      return role === undefined ? [] : [{ role, text: withId(text, id, value), lead, ...asUse(role) }];
    }),
  );

/** The validator with this id, key, address or name, and validators a party delegates to. */
export const amongValidators = (value: string): LookUp =>
  throughList('validators', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const [id, name] = [textAt(record, 'id'), textAt(record, 'name')];
      const text = [name, statusWord(textAt(record, 'rankingScore', 'status'))].filter(word => word !== '').join(', ');
      const lead = { entity: 'node', id } as const;
      const callings = {
        id: [id],
        'public key': [textAt(record, 'pubKey')],
        'consensus key': [textAt(record, 'tmPubKey')],
        'Ethereum address': [textAt(record, 'ethereumAddress')],
        name: [name, nameOf(directory, 'node', id) ?? ''],
      };
      const role = roleNamed(value, 'a validator', callings);
      if (role !== undefined)
        return [{ role, text: role.startsWith('part') ? `${text}: ${id}` : text, lead, ...asUse(role) }];
      const delegations = member(record, 'delegations');
      const isDelegator = isJsonArray(delegations) && delegations.some(given => isSame(textAt(given, 'party'), value));
      return isDelegator ? [{ role: 'party that delegates to a validator', text, lead }] : [];
    }),
  );

/** The spec itself, specs signed by the value or calling it, and any other that contains it. */
export const amongSpecs = (value: string, alsoAs: readonly string[] = []): LookUp =>
  throughList('specs', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const spec = member(member(record, 'externalDataSourceSpec'), 'spec');
      const id = textAt(spec, 'id');
      const lead = { entity: 'spec', id } as const;
      const text = `${id.slice(0, 8)}.., ${statusWord(textAt(spec, 'status'))}`;
      const role = roleNamed(value, 'an oracle spec', { id: [id] });
      if (role !== undefined) {
        const used = usedBy({ id, definition: definitionKey(member(spec, 'data')) }, directory);
        return [
          {
            role,
            text: `${isSame(id, value) ? '' : `${id}, `}${statusWord(textAt(spec, 'status'))}${used}`,
            lead,
            ...asUse(role),
          },
        ];
      }
      const external = member(member(spec, 'data'), 'external');
      if (isSame(textAt(external, 'ethOracle', 'address'), value))
        return [{ role: 'contract that an oracle spec calls', text, lead, isUse: true }];
      if (signersOf(external).some(signer => isSame(signer, value)))
        return [{ role: 'signer of an oracle spec', text, lead, isUse: true }];
      const isHeld = [value, ...alsoAs].some(wanted => containsValue(record, wanted.toLowerCase()));
      return isHeld ? [{ role: 'in the record of an oracle spec', text, lead, isUse: true }] : [];
    }),
  );

/** `, used by 2 markets: HELDA/HUSD, HELDB/HUSD`, including markets that only have its definition. */
function usedBy(spec: KnownDefinition, directory: Directory): string {
  const ids = [...directory.markets].flatMap(([id, { specs }]) => (usesOfSpec(specs, spec).length > 0 ? [id] : []));
  return ids.length === 0 ? '' : `, used by ${marketNames(ids, directory)}`;
}

function signersOf(external: Json | undefined): readonly string[] {
  const signers = member(member(external, 'oracle'), 'signers');
  if (!isJsonArray(signers)) return [];
  return signers.flatMap(signer => [textAt(signer, 'pubKey', 'key'), textAt(signer, 'ethAddress', 'address')]);
}

/** Parameters whose value equals or contains it. */
export const amongParameterValues = (value: string): LookUp =>
  throughList('parameters', records =>
    records.flatMap((record): readonly Role[] => {
      const [key, set] = [textAt(record, 'key'), textAt(record, 'value')];
      if (!set.toLowerCase().includes(value.toLowerCase())) return [];
      const role = isSame(set, value) ? 'value of a network parameter' : 'in the value of a network parameter';
      return [{ role, text: key, lead: { entity: 'parameter', id: key }, isUse: true }];
    }),
  );

export const amongProvisionsOfParty = (id: string): LookUp =>
  everyProvision(
    'partyId',
    id,
    (records, directory) => {
      const on = marketNames(
        records.map(record => textAt(record, 'marketId')),
        directory,
      );
      return { role: 'party with liquidity provisions', more: `, on ${on}`, entity: 'party' };
    },
    'not a party with liquidity provisions',
  );

const amongProvisionsOfMarket = (id: string): LookUp =>
  everyProvision(
    'marketId',
    id,
    () => ({ role: 'market with liquidity provisions', more: '', entity: 'market' }),
    'not a market with liquidity provisions',
  );

/** All versions; by its description, a node without live=true leaves out those that are live. */
function everyProvision(
  name: string,
  id: string,
  of: (
    records: readonly JsonObject[],
    directory: Directory,
  ) => { readonly role: string; readonly more: string; readonly entity: 'party' | 'market' },
  empty: string,
): LookUp {
  const among = (also: readonly (readonly [string, string])[]): LookUp =>
    throughList(
      'provisions',
      (records, directory, isCut) => {
        if (records.length === 0) return [];
        const { role, more, entity } = of(records, directory);
        const provisions = new Set(records.map(record => textAt(record, 'id'))).size;
        const text = `${atLeast(isCut)}${count(provisions, 'provision')} in ${count(records.length, 'version')}${more}`;
        return [{ role, text, lead: { entity, id } }];
      },
      { filter: [name, id], also, empty },
    );
  return { ...among([]), ifNothing: among([['live', 'true']]) };
}

const amongFeesOfMarket = (id: string): LookUp =>
  throughList(
    'fees',
    ([first]) => {
      if (first === undefined) return [];
      const text = `in epoch ${textAt(first, 'epochSeq')}, the newest with fees`;
      return [{ role: 'market with fees', text, lead: { entity: 'market', id } }];
    },
    {
      filter: ['marketId', id],
      empty: 'not a market with fees in the newest epoch with fees',
    },
  );

export const amongFeesOfParty = (id: string): LookUp =>
  throughList(
    'fees',
    (records, directory) => {
      const [first] = records;
      if (first === undefined) return [];
      const epoch = textAt(first, 'epochSeq');
      const on = marketNames(
        records.filter(record => textAt(record, 'epochSeq') === epoch).map(record => textAt(record, 'market')),
        directory,
      );
      const text = `in epoch ${epoch}, the newest with fees, on ${on}`;
      return [{ role: 'party with fees', text, lead: { entity: 'party', id } }];
    },
    {
      filter: ['partyIds', id],
      // A row may name other parties too.
      isOf: record => {
        const paid = member(record, 'feesPaidPerParty');
        return isJsonArray(paid) && paid.some(fee => isSame(textAt(fee, 'party'), id));
      },
      empty: 'not a party with fees in the newest epoch with fees',
    },
  );

/** Parties with fees whose id begins or ends as the value does. A node lists no other parties. */
export const amongPartiesWithFees = (value: string): LookUp =>
  throughList(
    'fees',
    records => {
      const paid = records.flatMap(record => {
        const fees = member(record, 'feesPaidPerParty');
        return isJsonArray(fees) ? fees.map(fee => textAt(fee, 'party')) : [];
      });
      return [...new Set(paid)].flatMap((id): readonly Role[] => {
        const role = roleNamed(value, 'a party', { id: [id] });
        return role === undefined ? [] : [{ role, text: id, lead: { entity: 'party', id }, ...asUse(role) }];
      });
    },
    { noneOf: 'no such party in' },
  );

export const amongBundlesOfNode = (id: string): LookUp =>
  throughList(
    'bundles',
    (records, _, isCut) =>
      records.length === 0
        ? []
        : [
            {
              role: 'validator that bundles remove',
              text: `${atLeast(isCut)}${count(records.length, 'bundle')}`,
              lead: { entity: 'node', id },
            },
          ],
    {
      filter: ['nodeId', id],
      // A bundle has the address the validator signs with, not its id.
      isOf: (record, { validators }) => {
        const address = validators.get(id)?.ethereumAddress ?? '';
        return address !== '' && isSame(textAt(record, 'oldSigner'), address);
      },
      empty: 'not a validator that bundles remove',
      stray: ({ validators }) =>
        validators.has(id)
          ? 'the node answered with some that do not remove the address of this validator'
          : 'no listed validator has this id, so the answer cannot be checked',
    },
  );

export const amongBundlesOfSubmitter = (address: string): LookUp =>
  throughList(
    'bundles',
    (records, _, isCut) => {
      if (records.length === 0) return [];
      const unusable = records.filter(
        record => readSignatureBytes(textAt(record, 'signatures')).kind !== 'whole',
      ).length;
      const rest = unusable === 0 ? '' : `, ${unusable} without usable signatures`;
      const text = `${atLeast(isCut)}${count(records.length, 'bundle')} for it to submit${rest}`;
      return [{ role: 'submitter of signer bundles', text, lead: { entity: 'submitter', id: address } }];
    },
    {
      filter: ['submitter', address],
      empty: 'not the submitter of a bundle',
    },
  );

/** Bundles that remove this signer. */
export const amongRemovals = (address: string): LookUp => amongBundles(address, 'not removed by any of');

/** Bundles that have this nonce. */
export const amongNonces = (digits: string): LookUp => amongBundles(digits, 'not the nonce of any of');

const amongBundles = (value: string, noneOf: string): LookUp =>
  throughList(
    'bundles',
    records =>
      records.flatMap((record): readonly Role[] => {
        const epoch = textAt(record, 'epochSeq');
        const lead = { entity: 'epoch', id: epoch } as const;
        const time = utcTime(textAt(record, 'timestamp'));
        const made = time.endsWith(' UTC') ? `, ${time}` : '';
        const text = `epoch ${epoch}${made}, submitter ${textAt(record, 'submitter')}${onChain(textAt(record, 'chainId'))}`;
        if (isSame(textAt(record, 'nonce'), value)) return [{ role: 'nonce of a bundle', text, lead }];
        if (isSame(textAt(record, 'chainId'), value))
          return [{ role: 'Ethereum chain of a bundle', text, lead, isUse: true }];
        const role = roleNamed(value, 'a bundle', { 'old signer': [textAt(record, 'oldSigner')] });
        return role === undefined ? [] : [{ role, text, lead, ...asUse(role) }];
      }),
    { noneOf },
  );

/** From v0.76 on, a removal has a bundle per chain. */
const onChain = (chainId: string): string => (chainId === '' ? '' : `, chain ${chainId}`);

const asUse = (role: string): { readonly isUse?: true } => (role.startsWith('part ') ? { isUse: true } : {});

/** What a record says of itself, with its id where it was found by something else. */
const withId = (text: string, id: string, value: string): string => (isSame(id, value) ? text : `${text}: ${id}`);

const atLeast = (isCut: boolean): string => (isCut ? 'at least ' : '');

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function marketNames(ids: readonly string[], directory: Directory): string {
  const distinct = [...new Set(ids)];
  const named = distinct.slice(0, 3).map(id => nameOrEnds(directory, 'market', id));
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : '';
  return `${count(distinct.length, 'market')}: ${named.join(', ')}${more}`;
}
