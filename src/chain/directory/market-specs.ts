import { createHash } from 'node:crypto';
import { isJsonArray, isJsonObject, isRawNumber, type Json, jsonText, member, printJson } from '../api/json.ts';
import type { SpecUse } from './directory.ts';

/** A spec that a market refers to: by id, or only by definition (protocol.md section 5.3). */
export interface MarketSpec {
  readonly use: SpecUse['use'];
  /** '' if the market has only the definition. */
  readonly specId: string;
  readonly data: Json;
}

/** The oracle specs that a market refers to, each use once. */
export function specsOfMarket(market: Json): readonly MarketSpec[] {
  const instrument = member(member(market, 'tradableInstrument'), 'instrument');
  const product = [member(instrument, 'future'), member(instrument, 'perpetual')].find(isJsonObject);
  const byId = MEMBERS.flatMap(([use, name]) => named(use, member(product, name)));
  const composite = member(product, 'internalCompositePriceConfig');
  return [
    ...byId,
    ...readDefinitions('mark-price', member(market, 'markPriceConfiguration')),
    ...readDefinitions('internal-composite-price', composite),
  ];
}

const MEMBERS = [
  ['settlement', 'dataSourceSpecForSettlementData'],
  ['termination', 'dataSourceSpecForTradingTermination'],
  ['schedule', 'dataSourceSpecForSettlementSchedule'],
] as const;

function named(use: SpecUse['use'], spec: Json | undefined): readonly MarketSpec[] {
  const id = member(spec, 'id');
  const specId = typeof id === 'string' ? id : '';
  const data = member(spec, 'data') ?? null;
  return specId === '' && definitionKey(data) === undefined ? [] : [{ use, specId, data }];
}

function readDefinitions(use: SpecUse['use'], configuration: Json | undefined): readonly MarketSpec[] {
  const list = member(configuration, 'dataSourcesSpec');
  if (!isJsonArray(list)) return [];
  return list
    .slice(0, MAX_DEFINITIONS)
    .flatMap(data => (definitionKey(data) === undefined ? [] : [{ use, specId: '', data }]));
}

/** The core allows no more than a handful for a price. */
const MAX_DEFINITIONS = 8;

/** The spec uses of a market in the form they are cached. */
export const specUses = (market: Json): readonly SpecUse[] =>
  specsOfMarket(market).map(({ use, specId, data }) => {
    const definition = specId === '' ? definitionKey(data) : undefined;
    return { use, specId, ...(definition !== undefined && { definition }) };
  });

/** A spec as the list of oracle specs has it. */
export interface ListedSpec {
  readonly id: string;
  /** `definitionKey` of its data. */
  readonly definition: string | undefined;
}

/** How a market uses this spec, each kind of use once. */
export const usesOfSpec = (uses: readonly SpecUse[], spec: ListedSpec): readonly SpecUse['use'][] => [
  ...new Set(uses.filter(use => isOfSpec(use, spec)).map(({ use }) => use)),
];

const isOfSpec = ({ specId, definition }: SpecUse, spec: ListedSpec): boolean =>
  specId === ''
    ? definition !== undefined && definition === spec.definition
    : specId.toLowerCase() === spec.id.toLowerCase();

/**
 * Equal for equivalent definitions, whatever the order of members and the spelling of numbers; undefined if there is no
 * definition. A spec id is also a hash of its definition, but of other bytes.
 */
export function definitionKey(data: Json | undefined): string | undefined {
  const source = [member(data, 'external'), member(data, 'internal')].find(isJsonObject);
  if (source === undefined || !Object.values(source).some(isJsonObject)) return undefined;
  return createHash('sha256')
    .update(canonical(data ?? null, false))
    .digest('hex');
}

/** Members sorted by name, without empty ones. Outside arguments, where nodes send either, numbers and text are equal. */
function canonical(value: Json, isTyped: boolean): string {
  if (isJsonArray(value)) return `[${value.map(item => canonical(item, isTyped)).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value)
      .filter(([, item]) => isTyped || !isEmpty(item))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item, isTyped || name === 'args')}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value !== 'number' && !isRawNumber(value)) return printJson(value);
  const number = plainNumber(jsonText(value));
  return isTyped ? number : JSON.stringify(number);
}

// Some nodes omit a field at its default, others send it.
const isEmpty = (value: Json): boolean => value === null || value === '' || (isJsonArray(value) && value.length === 0);

/** `100` of `1e2` and `100.0`. */
function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,4}))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (whole === '' || digits === '') return whole === '' ? text : '0';
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length + Number(power) - fraction.length;
  return zeros < 0 || zeros > MAX_ZEROS
    ? `${sign}${significant}e${zeros}`
    : `${sign}${significant}${'0'.repeat(zeros)}`;
}

const MAX_ZEROS = 400;
