import { isJsonArray, type Json, jsonText, member } from '../api/json.ts';
import type { Arrived } from '../insight/oracle/arrival.ts';
import { signersIn } from './oracle-source.ts';
import type { Row } from './resource.ts';

/** Whether the record is data of this spec. */
export function isDataOf(record: Row, specId: string): boolean {
  const ids = member(dataIn(record), 'matchedSpecIds');
  return isJsonArray(ids) && ids.some(id => jsonText(id).toLowerCase() === specId.toLowerCase());
}

/** Whether the record says which specs it is data of. */
export const namesSpecs = (record: Row): boolean => isJsonArray(member(dataIn(record), 'matchedSpecIds'));

/** The records of each spec, by its id in lower case, in their order. */
export function dataBySpec(records: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const bySpec = new Map<string, Row[]>();
  for (const record of records) {
    const ids = member(dataIn(record), 'matchedSpecIds');
    for (const id of new Set(isJsonArray(ids) ? ids.map(one => jsonText(one).toLowerCase()) : [])) {
      const own = bySpec.get(id);
      if (own === undefined) bySpec.set(id, [record]);
      else own.push(record);
    }
  }
  return bySpec;
}

/** A record of the list of data that arrived. */
export function readArrived(record: Row): Arrived {
  const data = dataIn(record);
  const about = propertiesIn(member(data, 'metaData'));
  const textOf = (name: string): string => about.find(property => property.name === name)?.value ?? '';
  return {
    broadcastAt: jsonText(member(data, 'broadcastAt')),
    signers: listIn(member(data, 'signers')).flatMap(signersIn),
    values: propertiesIn(member(data, 'data')),
    sourceTime: textOf('eth-block-time'),
    sourceHeight: textOf('eth-block-height'),
    error: jsonText(member(data, 'error')),
  };
}

const propertiesIn = (list: Json | undefined): Arrived['values'] =>
  listIn(list).map(property => ({
    name: jsonText(member(property, 'name')),
    value: jsonText(member(property, 'value')),
  }));

const listIn = (list: Json | undefined): readonly Json[] => (isJsonArray(list) ? list : []);

const dataIn = (record: Row): Json | undefined => member(member(record, 'externalData'), 'data');
