import { isJsonArray, type Json, jsonText, member } from '../api/json.ts';
import type { DataArrival } from '../insight/oracle/arrival.ts';
import { readDataSigners } from './oracle-source.ts';
import type { Row } from './resource.ts';

/** Whether the record is data of this spec. */
export function isDataOf(record: Row, specId: string): boolean {
  const ids = member(readExternalData(record), 'matchedSpecIds');
  return isJsonArray(ids) && ids.some(id => jsonText(id).toLowerCase() === specId.toLowerCase());
}

/** Whether the record lists the specs that it is data for. */
export const namesSpecs = (record: Row): boolean => isJsonArray(member(readExternalData(record), 'matchedSpecIds'));

/** The records of each spec, by its id in lower case, in their order. */
export function groupBySpec(records: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const bySpec = new Map<string, Row[]>();
  for (const record of records) {
    const ids = member(readExternalData(record), 'matchedSpecIds');
    for (const id of new Set(isJsonArray(ids) ? ids.map(one => jsonText(one).toLowerCase()) : [])) {
      const own = bySpec.get(id);
      if (own === undefined) bySpec.set(id, [record]);
      else own.push(record);
    }
  }
  return bySpec;
}

/** A record of the list of data that arrived. */
export function readDataArrival(record: Row): DataArrival {
  const data = readExternalData(record);
  const about = readProperties(member(data, 'metaData'));
  const textOf = (name: string): string => about.find(property => property.name === name)?.value ?? '';
  return {
    broadcastAt: jsonText(member(data, 'broadcastAt')),
    signers: listOrEmpty(member(data, 'signers')).flatMap(readDataSigners),
    values: readProperties(member(data, 'data')),
    sourceTime: textOf('eth-block-time'),
    sourceHeight: textOf('eth-block-height'),
    error: jsonText(member(data, 'error')),
  };
}

const readProperties = (list: Json | undefined): DataArrival['values'] =>
  listOrEmpty(list).map(property => ({
    name: jsonText(member(property, 'name')),
    value: jsonText(member(property, 'value')),
  }));

const listOrEmpty = (list: Json | undefined): readonly Json[] => (isJsonArray(list) ? list : []);

const readExternalData = (record: Row): Json | undefined => member(member(record, 'externalData'), 'data');
