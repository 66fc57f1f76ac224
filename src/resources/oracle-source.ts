import * as v from 'valibot';
import { type Json, jsonText, member, printJson } from '../api/json.ts';
import type { DataSigner, DataSource, PropertyFilter } from '../insight/oracle/data-source.ts';
import { json, listOf, object, text, variant } from './field.ts';

const condition = object({ operator: text, value: text });
const filter = object({
  key: object({ name: text, numberDecimalPlaces: text, type: text }),
  conditions: listOf(condition),
});
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
          filters: listOf(filter),
          normalisers: listOf(object({ name: text, expression: text })),
          trigger: object({ timeTrigger: trigger }),
        }),
      ),
      oracle: variant(object({ filters: listOf(filter), signers: listOf(json) })),
    }),
  ),
  internal: variant(
    object({
      time: variant(object({ conditions: listOf(condition) })),
      timeTrigger: variant(object({ conditions: listOf(condition), triggers: listOf(trigger) })),
    }),
  ),
});
type Definition = v.InferOutput<typeof definition>;

/** The `data` of a spec: as sent, and each source that it defines; nodes send one, or none. */
export const sources = v.pipe(
  json,
  v.transform(sent => ({ sent, sources: sourcesOf(v.parse(definition, sent ?? {})) })),
);

/** The first source that a definition names; undefined where it names none that is known. */
export const sourceIn = (sent: Json): DataSource | undefined => v.parse(sources, sent).sources[0];

function sourcesOf({ external, internal }: Definition): readonly DataSource[] {
  const found: DataSource[] = [];
  if (external?.ethOracle) {
    const { filters, trigger: call, args, ...rest } = external.ethOracle;
    const triggers = [call.timeTrigger];
    found.push({
      variant: 'eth-oracle',
      ...rest,
      args: args.map(arg => printJson(arg)),
      triggers,
      filters: named(filters),
    });
  }
  if (external?.oracle) {
    const { signers, filters } = external.oracle;
    found.push({ variant: 'oracle', signers: signers.flatMap(signersIn), filters: named(filters) });
  }
  if (internal?.timeTrigger) found.push({ variant: 'time-trigger', ...internal.timeTrigger });
  if (internal?.time) found.push({ variant: 'time', ...internal.time });
  return found;
}

const named = (filters: readonly v.InferOutput<typeof filter>[]): readonly PropertyFilter[] =>
  filters.map(({ key: { name, type, numberDecimalPlaces }, conditions }) => ({
    key: { name, type, decimalPlaces: numberDecimalPlaces },
    conditions,
  }));

/** Who a signer is; one that names a key and an address counts as both. */
export function signersIn(signer: Json): readonly DataSigner[] {
  const key = jsonText(member(member(signer, 'pubKey'), 'key'));
  const address = jsonText(member(member(signer, 'ethAddress'), 'address'));
  const signers: DataSigner[] = [];
  if (key !== '') signers.push({ kind: 'key', id: key });
  if (address !== '') signers.push({ kind: 'address', id: address });
  return signers.length > 0 ? signers : [{ kind: 'other', id: jsonText(signer) }];
}
