import * as v from 'valibot';
import { isJsonArray, type Json, jsonText, member, printJson } from '../api/json.ts';
import type { Condition, DataSigner, DataSource, PropertyFilter } from '../insight/oracle/data-source.ts';
import { json, listOf, object, text, variant } from './field.ts';

const conditions = v.pipe(json, v.transform(readConditions));
const filters = v.pipe(json, v.transform(readFilters));
const trigger = object({ every: text, initial: text, until: text });

const definition = object({
  external: variant(
    object({
      ethOracle: variant(
        object({
          abi: text,
          address: text,
          args: listOf(json),
          method: text,
          requiredConfirmations: text,
          sourceChainId: text,
          filters,
          normalisers: listOf(object({ name: text, expression: text })),
          trigger: object({ timeTrigger: trigger }),
        }),
      ),
      oracle: variant(object({ filters, signers: listOf(json) })),
    }),
  ),
  internal: variant(
    object({
      time: variant(object({ conditions })),
      timeTrigger: variant(object({ conditions, triggers: listOf(trigger) })),
    }),
  ),
});
type Definition = v.InferOutput<typeof definition>;

/** The `data` of a spec: as sent, and the sources it defines; nodes send one or none. */
export const sources = v.pipe(
  json,
  v.transform(sent => ({ sent, sources: readSources(v.parse(definition, sent ?? {})) })),
);

/** The first source in a definition; undefined if it has none of a known kind. */
export const readSource = (sent: Json): DataSource | undefined => v.parse(sources, sent).sources[0];

function readSources({ external, internal }: Definition): readonly DataSource[] {
  const found: DataSource[] = [];
  if (external?.ethOracle) {
    const { trigger: call, args, ...rest } = external.ethOracle;
    const triggers = [call.timeTrigger];
    found.push({ variant: 'eth-oracle', ...rest, args: args.map(arg => printJson(arg)), triggers });
  }
  if (external?.oracle) {
    const { signers, ...rest } = external.oracle;
    found.push({ variant: 'oracle', signers: signers.flatMap(readDataSigners), ...rest });
  }
  if (internal?.timeTrigger) found.push({ variant: 'time-trigger', ...internal.timeTrigger });
  if (internal?.time) found.push({ variant: 'time', ...internal.time });
  return found;
}

// Read without a schema, which would take five times the memory: a spec may have 100,000 filters.
function readFilters(sent: Json): readonly PropertyFilter[] {
  return itemsOf(sent).map(filter => {
    const key = member(filter, 'key');
    return {
      key: {
        name: jsonText(member(key, 'name')),
        type: jsonText(member(key, 'type')),
        decimalPlaces: jsonText(member(key, 'numberDecimalPlaces')),
      },
      conditions: readConditions(member(filter, 'conditions') ?? null),
    };
  });
}

function readConditions(sent: Json): readonly Condition[] {
  return itemsOf(sent).map(condition => ({
    operator: jsonText(member(condition, 'operator')),
    value: jsonText(member(condition, 'value')),
  }));
}

const itemsOf = (sent: Json): readonly Json[] => (isJsonArray(sent) ? sent : []);

/** The signers in an entry; one with both a key and an address is two. */
export function readDataSigners(signer: Json): readonly DataSigner[] {
  const key = jsonText(member(member(signer, 'pubKey'), 'key'));
  const address = jsonText(member(member(signer, 'ethAddress'), 'address'));
  const signers: DataSigner[] = [];
  if (key !== '') signers.push({ kind: 'key', id: key });
  if (address !== '') signers.push({ kind: 'address', id: address });
  return signers.length > 0 ? signers : [{ kind: 'other', id: jsonText(signer) }];
}
