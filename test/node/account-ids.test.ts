import { expect, test } from 'vitest';
import { hashAccountId } from '../../src/node/demo/history/accounts.ts';

const PARTY = 'c2071f9874933829eb432b1af0d776b5d49d5d4a7feefffa7d1e9642d9d5ed19';
const ASSET = '0fa76c9a96793dd080f21c41e4c192cee76d34bd150d5ead49574296a10cc665';
const MARKET = '836da1ce68446d8b5cd1102bd46712fab678da8174c21f974d650212d928d5cd';

test.each([
  [PARTY, '', 'GENERAL', 'c1d57d601363c8ad7e291d841ffa67e23c6e59809bda5daa49c69ea514adb514'],
  [PARTY, MARKET, 'MARGIN', 'fcd9aa4ee5ebe043d85dbdf230b2c093a4658d3ff7f7d7fdcc826b0ad4c107ad'],
  [PARTY, MARKET, 'BOND', '5c76db1615b86257f44fd1d5cb095c8cbe1ef83593a960aa9ba83e2011476b70'],
  ['network', '', 'EXTERNAL', 'd4d0a5069c8ade455175f61721d3d407189411a3dba202bb7cd6691f947d98ea'],
  ['network', MARKET, 'INSURANCE', '0e496c3ee04863309d7b75a0a7aa19a0050e75e1ae5d37d5c4f7efc94ab95aa4'],
])('The account of %s, market "%s", type %s has the same id as on deployed nodes', (party, market, type, id) => {
  expect(hashAccountId({ asset: ASSET, party, market, type })).toBe(id);
});
