import { isId } from '../../base/text/ids.ts';
import { utcTime } from '../../base/text/time.ts';
import { isJsonArray, type Json, type JsonObject, member } from '../api/json.ts';
import { type Directory, nameOf, nameOrEnds } from '../directory/directory.ts';
import { definitionKey, type ListedSpec, usesOfSpec } from '../directory/market-specs.ts';
import { readSignatureBytes } from '../insight/signer-bundle/signatures.ts';
import { containsValue, equalsIgnoreCase, listLookUp, roleByName, statusWord, textAtPath } from './list-look-ups.ts';
import type { LookUp, Role } from './look-up.ts';

const INSTRUMENT = ['tradableInstrument', 'instrument'] as const;

/** The market with this id, and markets that contain it; where they cannot be read its provisions and fees. */
export const marketOrDependentsLookUp = (id: string): LookUp => ({
  ...marketLookUp(id),
  ifUnread: [marketProvisionsLookUp(id), marketFeesLookUp(id)],
});

/** The market with this id, code or name, and markets that contain the value elsewhere. */
export const marketLookUp = (value: string): LookUp =>
  listLookUp('markets', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const id = textAtPath(record, 'id');
      const [code, name] = [textAtPath(record, ...INSTRUMENT, 'code'), textAtPath(record, ...INSTRUMENT, 'name')];
      const lead = { entity: 'market', id } as const;
      const summary = [code, name, statusWord(textAtPath(record, 'state'))].filter(text => text !== '').join(', ');
      const shown = nameOf(directory, 'market', id) ?? '';
      const role = roleByName(value, 'a market', { id: [id], name: [code, name, shown] });
      if (role !== undefined) return [{ role, text: withId(summary, id, value), lead, ...asUse(role) }];
      if (!isId(value)) return [];
      const use = marketUse(record, value);
      return use === '' ? [] : [{ role: use, text: nameOrEnds(directory, 'market', id), lead, isUse: true }];
    }),
  );

const USES = [
  ['settlementAsset', 'asset that a market settles in'],
  ['quoteAsset', 'asset that a spot market is paid in'],
  ['baseAsset', 'asset that a spot market trades'],
  ['dataSourceSpecForSettlementData', 'oracle spec that settles a market'],
  ['dataSourceSpecForTradingTermination', 'oracle spec that ends the trading of a market'],
  ['dataSourceSpecForSettlementSchedule', 'oracle spec of the schedule of a market'],
] as const;

function marketUse(record: JsonObject, value: string): string {
  const instrument = member(member(record, 'tradableInstrument'), 'instrument');
  const products = ['future', 'perpetual', 'spot'].map(product => member(instrument, product));
  const use = USES.find(([name]) =>
    products.some(product => equalsIgnoreCase(textAtPath(product, name) || textAtPath(product, name, 'id'), value)),
  );
  if (use !== undefined) return use[1];
  if (equalsIgnoreCase(textAtPath(record, 'parentMarketId'), value)) return 'market with a successor';
  if (equalsIgnoreCase(textAtPath(record, 'successorMarketId'), value)) return 'successor of another market';
  return containsValue(record, value) ? 'in the record of a market' : '';
}

/** The asset with this id, symbol, name or contract. */
export const assetLookUp = (value: string): LookUp =>
  listLookUp('assets', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const id = textAtPath(record, 'id');
      const [symbol, name] = [textAtPath(record, 'details', 'symbol'), textAtPath(record, 'details', 'name')];
      const text = `${symbol}, ${name}, ${textAtPath(record, 'details', 'decimals') || 'unknown'} decimals`;
      const lead = { entity: 'asset', id } as const;
      const shown = nameOf(directory, 'asset', id) ?? '';
      const contract = textAtPath(record, 'details', 'erc20', 'contractAddress');
      const callings = { id: [id], name: [symbol, name, shown], 'token contract': [contract] };
      const role = roleByName(value, 'an asset', callings);
      return role === undefined ? [] : [{ role, text: withId(text, id, value), lead, ...asUse(role) }];
    }),
  );

/** The validator with this id, key, address or name, and validators a party delegates to. */
export const validatorLookUp = (value: string): LookUp =>
  listLookUp('validators', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const [id, name] = [textAtPath(record, 'id'), textAtPath(record, 'name')];
      const text = [name, statusWord(textAtPath(record, 'rankingScore', 'status'))]
        .filter(word => word !== '')
        .join(', ');
      const lead = { entity: 'node', id } as const;
      const callings = {
        id: [id],
        'public key': [textAtPath(record, 'pubKey')],
        'consensus key': [textAtPath(record, 'tmPubKey')],
        'Ethereum address': [textAtPath(record, 'ethereumAddress')],
        name: [name, nameOf(directory, 'node', id) ?? ''],
      };
      const role = roleByName(value, 'a validator', callings);
      if (role !== undefined)
        return [{ role, text: role.startsWith('part') ? `${text}: ${id}` : text, lead, ...asUse(role) }];
      const delegations = member(record, 'delegations');
      const isDelegator =
        isJsonArray(delegations) && delegations.some(given => equalsIgnoreCase(textAtPath(given, 'party'), value));
      return isDelegator ? [{ role: 'party that delegates to a validator', text, lead }] : [];
    }),
  );

/** The spec itself, specs signed by the value or calling it, and any other that contains it. */
export const specLookUp = (value: string, alsoAs: readonly string[] = []): LookUp =>
  listLookUp('specs', (records, directory) =>
    records.flatMap((record): readonly Role[] => {
      const spec = member(member(record, 'externalDataSourceSpec'), 'spec');
      const id = textAtPath(spec, 'id');
      const lead = { entity: 'spec', id } as const;
      const text = `${id.slice(0, 8)}.., ${statusWord(textAtPath(spec, 'status'))}`;
      const role = roleByName(value, 'an oracle spec', { id: [id] });
      if (role !== undefined) {
        const used = usedByText({ id, definition: definitionKey(member(spec, 'data')) }, directory);
        return [
          {
            role,
            text: `${equalsIgnoreCase(id, value) ? '' : `${id}, `}${statusWord(textAtPath(spec, 'status'))}${used}`,
            lead,
            ...asUse(role),
          },
        ];
      }
      const external = member(member(spec, 'data'), 'external');
      if (equalsIgnoreCase(textAtPath(external, 'ethOracle', 'address'), value))
        return [{ role: 'contract that an oracle spec calls', text, lead, isUse: true }];
      if (specSigners(external).some(signer => equalsIgnoreCase(signer, value)))
        return [{ role: 'signer of an oracle spec', text, lead, isUse: true }];
      const isHeld = [value, ...alsoAs].some(wanted => containsValue(record, wanted.toLowerCase()));
      return isHeld ? [{ role: 'in the record of an oracle spec', text, lead, isUse: true }] : [];
    }),
  );

/** `, used by 2 markets: HELDA/HUSD, HELDB/HUSD`, including markets that only have its definition. */
function usedByText(spec: ListedSpec, directory: Directory): string {
  const ids = [...directory.markets].flatMap(([id, { specs }]) => (usesOfSpec(specs, spec).length > 0 ? [id] : []));
  return ids.length === 0 ? '' : `, used by ${marketNames(ids, directory)}`;
}

function specSigners(external: Json | undefined): readonly string[] {
  const signers = member(member(external, 'oracle'), 'signers');
  if (!isJsonArray(signers)) return [];
  return signers.flatMap(signer => [textAtPath(signer, 'pubKey', 'key'), textAtPath(signer, 'ethAddress', 'address')]);
}

/** Parameters whose value equals or contains it. */
export const parameterValueLookUp = (value: string): LookUp =>
  listLookUp('parameters', records =>
    records.flatMap((record): readonly Role[] => {
      const [key, set] = [textAtPath(record, 'key'), textAtPath(record, 'value')];
      if (!set.toLowerCase().includes(value.toLowerCase())) return [];
      const role = equalsIgnoreCase(set, value)
        ? 'value of a network parameter'
        : 'in the value of a network parameter';
      return [{ role, text: key, lead: { entity: 'parameter', id: key }, isUse: true }];
    }),
  );

export const partyProvisionsLookUp = (id: string): LookUp =>
  everyProvision(
    'partyId',
    id,
    (records, directory) => {
      const on = marketNames(
        records.map(record => textAtPath(record, 'marketId')),
        directory,
      );
      return { role: 'party with liquidity provisions', more: `, on ${on}`, entity: 'party' };
    },
    'not a party with liquidity provisions',
  );

const marketProvisionsLookUp = (id: string): LookUp =>
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
    listLookUp(
      'provisions',
      (records, directory, isCut) => {
        if (records.length === 0) return [];
        const { role, more, entity } = of(records, directory);
        const provisions = new Set(records.map(record => textAtPath(record, 'id'))).size;
        const text = `${atLeast(isCut)}${count(provisions, 'provision')} in ${count(records.length, 'version')}${more}`;
        return [{ role, text, lead: { entity, id } }];
      },
      { filter: [name, id], also, empty },
    );
  return { ...among([]), ifNothing: among([['live', 'true']]) };
}

const marketFeesLookUp = (id: string): LookUp =>
  listLookUp(
    'fees',
    ([first]) => {
      if (first === undefined) return [];
      const text = `in epoch ${textAtPath(first, 'epochSeq')}, the newest with fees`;
      return [{ role: 'market with fees', text, lead: { entity: 'market', id } }];
    },
    {
      filter: ['marketId', id],
      empty: 'not a market with fees in the newest epoch with fees',
    },
  );

export const partyFeesLookUp = (id: string): LookUp =>
  listLookUp(
    'fees',
    (records, directory) => {
      const [first] = records;
      if (first === undefined) return [];
      const epoch = textAtPath(first, 'epochSeq');
      const on = marketNames(
        records.filter(record => textAtPath(record, 'epochSeq') === epoch).map(record => textAtPath(record, 'market')),
        directory,
      );
      const text = `in epoch ${epoch}, the newest with fees, on ${on}`;
      return [{ role: 'party with fees', text, lead: { entity: 'party', id } }];
    },
    {
      filter: ['partyIds', id],
      // A row may also list other parties.
      isOf: record => {
        const paid = member(record, 'feesPaidPerParty');
        return isJsonArray(paid) && paid.some(fee => equalsIgnoreCase(textAtPath(fee, 'party'), id));
      },
      empty: 'not a party with fees in the newest epoch with fees',
    },
  );

/** Parties with fees whose id begins or ends as the value does. A node lists no other parties. */
export const partyWithFeesLookUp = (value: string): LookUp =>
  listLookUp(
    'fees',
    records => {
      const paid = records.flatMap(record => {
        const fees = member(record, 'feesPaidPerParty');
        return isJsonArray(fees) ? fees.map(fee => textAtPath(fee, 'party')) : [];
      });
      return [...new Set(paid)].flatMap((id): readonly Role[] => {
        const role = roleByName(value, 'a party', { id: [id] });
        return role === undefined ? [] : [{ role, text: id, lead: { entity: 'party', id }, ...asUse(role) }];
      });
    },
    { noneOf: 'no such party in' },
  );

export const nodeBundlesLookUp = (id: string): LookUp =>
  listLookUp(
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
        return address !== '' && equalsIgnoreCase(textAtPath(record, 'oldSigner'), address);
      },
      empty: 'not a validator removed by a bundle',
      stray: ({ validators }) =>
        validators.has(id)
          ? 'the node answered with some that do not remove the address of this validator'
          : 'no listed validator has this id, so the answer cannot be checked',
    },
  );

export const submitterBundlesLookUp = (address: string): LookUp =>
  listLookUp(
    'bundles',
    (records, _, isCut) => {
      if (records.length === 0) return [];
      const unusable = records.filter(
        record => readSignatureBytes(textAtPath(record, 'signatures')).kind !== 'whole',
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
export const removalLookUp = (address: string): LookUp => bundleLookUp(address, 'not removed by any of');

/** Bundles that have this nonce. */
export const nonceLookUp = (digits: string): LookUp => bundleLookUp(digits, 'not the nonce of any of');

const bundleLookUp = (value: string, noneOf: string): LookUp =>
  listLookUp(
    'bundles',
    records =>
      records.flatMap((record): readonly Role[] => {
        const epoch = textAtPath(record, 'epochSeq');
        const lead = { entity: 'epoch', id: epoch } as const;
        const time = utcTime(textAtPath(record, 'timestamp'));
        const made = time.endsWith(' UTC') ? `, ${time}` : '';
        const text = `epoch ${epoch}${made}, submitter ${textAtPath(record, 'submitter')}${onChain(textAtPath(record, 'chainId'))}`;
        if (equalsIgnoreCase(textAtPath(record, 'nonce'), value)) return [{ role: 'nonce of a bundle', text, lead }];
        if (equalsIgnoreCase(textAtPath(record, 'chainId'), value))
          return [{ role: 'Ethereum chain of a bundle', text, lead, isUse: true }];
        const role = roleByName(value, 'a bundle', { 'old signer': [textAtPath(record, 'oldSigner')] });
        return role === undefined ? [] : [{ role, text, lead, ...asUse(role) }];
      }),
    { noneOf },
  );

/** From v0.76 on, a removal has a bundle per chain. */
const onChain = (chainId: string): string => (chainId === '' ? '' : `, chain ${chainId}`);

const asUse = (role: string): { readonly isUse?: true } => (role.startsWith('part ') ? { isUse: true } : {});

/** The text of a record, with its id if it was found by another value. */
const withId = (text: string, id: string, value: string): string =>
  equalsIgnoreCase(id, value) ? text : `${text}: ${id}`;

const atLeast = (isCut: boolean): string => (isCut ? 'at least ' : '');

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function marketNames(ids: readonly string[], directory: Directory): string {
  const distinct = [...new Set(ids)];
  const named = distinct.slice(0, 3).map(id => nameOrEnds(directory, 'market', id));
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : '';
  return `${count(distinct.length, 'market')}: ${named.join(', ')}${more}`;
}
