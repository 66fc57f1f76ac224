import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from '../../../src/chain/api/json.ts';
import { readPage } from '../../../src/chain/api/page.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { createChain, headAtTime } from '../../../src/node/demo/chain.ts';
import { Query } from '../../../src/node/gateway/query.ts';
import { SERVED_LISTS } from '../../../src/node/registry.ts';
import { Store } from '../../../src/node/store.ts';

// A record of each resource with every field of the published interface, 64-bit integers as bare numbers where the
// document gives an integer type.
const filter = `{"key":{"name":"prices.BTC","numberDecimalPlaces":"18","type":"TYPE_UNSPECIFIED"},
  "conditions":[{"operator":"OPERATOR_UNSPECIFIED","value":"0"}]}`;

const order = `{"liquidityOrder":{"offset":"100","proportion":9007199254740993,
  "reference":"PEGGED_REFERENCE_BEST_BID"},"orderId":"0a"}`;

const provision = (
  status: string,
  version: string,
): string => `{"id":"0f","marketId":"02","partyId":"03","reference":"",
  "commitmentAmount":"3905000000000000000000000","fee":"0.3","createdAt":"1700000000123456000","updatedAt":"1700000000123456000",
  "version":"${version}","status":"${status}","buys":[${order}],"sells":[${order}]}`;

const spec = (data: string): string => `{"externalDataSourceSpec":{"spec":{"id":"0b","createdAt":"1700000000123456000",
  "updatedAt":"0","status":"STATUS_UNSPECIFIED","data":${data}}}}`;

const WRITTEN: { readonly [resource: string]: readonly string[] } = {
  parameters: ['{"key":"market.fee.factors.makerFee","value":"0.0002"}'],
  provisions: [
    `{"id":"01","marketId":"02","partyId":"03","reference":"ref","commitmentAmount":"340282366920938463463374607431768211455",
    "fee":"0.001","createdAt":1700000000123456789,"updatedAt":1700000000123456790,"version":18446744073709551615,
    "status":"STATUS_PENDING","buys":[${order}],"sells":[${order}]}`,
    `{"current":${provision('STATUS_ACTIVE', '7')},"pending":${provision('STATUS_PENDING', '8')}}`,
    `{"current":${provision('STATUS_PENDING', '1')}}`,
  ],
  fees: [
    `{"asset":"04","epochSeq":"41","market":"05","totalFeesPaid":"100",
    "feesPaidPerParty":[{"party":"06","amount":"1","quantumAmount":"1.000000000000000001"}]}`,
  ],
  bundles: [
    `{"epochSeq":"4","nonce":"987654321098765432109","oldSigner":"0x07","signatures":"0x08","submitter":"0x09",
    "timestamp":"1700000000000000000"}`,
    `{"chainId":"42161","epochSeq":"4","nonce":"987654321098765432109","oldSigner":"0x07","signatures":"0x08","submitter":"0x09",
    "timestamp":"1700000000000000000"}`,
  ],
  oracles: [
    spec(`{"external":{"ethOracle":{"abi":"[{\\"type\\":\\"function\\",\\"name\\":\\"latestAnswer\\",\\"inputs\\":[]}]","address":"0x0c",
      "args":["text",9007199254740993,1.10,{"deep":[true,null]}],"method":"latestAnswer","requiredConfirmations":"3",
      "sourceChainId":"1","filters":[${filter}],"normalisers":[{"expression":"$[0]","name":"price"}],
      "trigger":{"timeTrigger":{"every":"60","initial":"1700000000","until":"1800000000"}}}}}`),
    spec(`{"external":{"oracle":{"filters":[${filter}],
      "signers":[{"ethAddress":{"address":"0x0d"}},{"pubKey":{"key":"0e"}}]}}}`),
    spec('{"internal":{"time":{"conditions":[{"operator":"OPERATOR_GREATER_THAN","value":"1700000000"}]}}}'),
    spec(`{"internal":{"timeTrigger":{"conditions":[{"operator":"OPERATOR_EQUALS","value":"1"}],
      "triggers":[{"every":"600","initial":"1700000000"}]}}}`),
  ],
};

/**
 * Full records by resource, as they are read of an answer: written down for the lists of the published interface, for the
 * others those that the embedded node has.
 */
export const FULL_RECORDS: readonly (readonly [resource: string, record: JsonObject])[] = RESOURCES.flatMap(resource =>
  (WRITTEN[resource.id]?.map(objectOf) ?? servedRecords(resource)).map(
    record => [resource.id, resource.flat?.(record) ?? record] as const,
  ),
);

/** What the embedded node has in a list, as few records as show every member that any of them has. */
function servedRecords({ path, wrapperKey }: Resource): readonly JsonObject[] {
  const chain = createChain({ seed: 'full-records', startedMs: 0 });
  const store = new Store(SERVED_LISTS.map(({ table }) => table(chain, { provisions: 0, history: 1 })));
  const operation = SERVED_LISTS.flatMap(({ operations }) => operations(store, () => headAtTime(chain, 0))).find(
    served => served.path === `/${path}`,
  );
  const answer = operation?.accept({ query: new Query(''), pathValue: '', deadlineMs: Number.POSITIVE_INFINITY })();
  store.close();
  const shown = new Set<string>();
  return (readPage(parseJson(typeof answer === 'string' ? answer : '{}'), wrapperKey)?.records ?? []).filter(record => {
    const before = shown.size;
    for (const place of placesIn(record)) shown.add(place);
    return shown.size > before;
  });
}

function placesIn(value: Json, path = ''): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(item => placesIn(item, `${path}[]`));
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => placesIn(member, `${path}.${name}`));
}

export function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error(`no object: ${text}`);
  return value;
}
