import { describe, expect, it } from 'vitest';
import { ask, refusal, segments, withNode } from './wire.ts';

const node = withNode({ clock: () => Date.UTC(2026, 10, 20, 12) });
const specs = '/api/v2/oracle/specs';
const provisions = '/api/v2/liquidity/provisions?marketId=00';

describe('Unreadable gateway parameters', () => {
  it.each([
    [`${specs}?pagination.first=abc`, 'parsing field "first": strconv.ParseInt: parsing "abc": invalid syntax'],
    [`${specs}?pagination.first=`, 'parsing field "first": strconv.ParseInt: parsing "": invalid syntax'],
    [
      `${specs}?pagination.last=99999999999`,
      'parsing field "last": strconv.ParseInt: parsing "99999999999": value out of range',
    ],
    [
      `${specs}?pagination.newestFirst=yes`,
      'parsing field "newest_first": strconv.ParseBool: parsing "yes": invalid syntax',
    ],
    [`${specs}?pagination=5`, 'parsing field "pagination": unsupported message type: "datanode.api.v2.Pagination"'],
    [`${specs}?pagination.first=1&pagination.first=2`, 'too many values for field "first": 1, 2'],
    [`${specs}?pagination.newestFirst=1&pagination.newest_first=1`, 'field already set for oneof "_newest_first"'],
    [`${specs}?pagination.after=%zz`, 'invalid URL escape "%zz"'],
    [`${provisions}&live=`, 'parsing field "live": strconv.ParseBool: parsing "": invalid syntax'],
    [`${provisions}&partyId[x]=00`, 'too many values for field "party_id": x, 00'],
    [
      '/api/v2/liquidity/paidfees?epochSeq=-1',
      'parsing field "epoch_seq": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      '/api/v2/liquidity/paidfees?epochSeq=18446744073709551616',
      'parsing field "epoch_seq": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ['/api/v2/networkhistory/export?table=orders', 'parsing field "table": "orders" is not a valid value'],
    ['/api/v2/networkhistory/export?table=16', 'parsing field "table": "16" is not a valid value'],
    [
      '/api/v2/networkhistory/export?fromBlock=abc&table=4',
      'parsing field "from_block": strconv.ParseInt: parsing "abc": invalid syntax',
    ],
  ])('The parameter %s is refused with the name of its proto field', async (path, message) => {
    expect(await refusal(node.url + path)).toEqual([400, 3, message]);
  });
});

describe('Readable gateway parameters', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('The spelling %s is read as true', async spelling => {
    const answer = await ask(`${node.url}${specs}?pagination.newestFirst=${spelling}&pagination.first=3`);
    expect(answer.text).toBe((await ask(`${node.url}${specs}?pagination.first=3`)).text);
  });

  it('Parameters are accepted in either spelling, and unknown ones are ignored', async () => {
    const plain = await ask(`${node.url}${specs}?pagination.newestFirst=0&pagination.first=3`);
    const snake = await ask(`${node.url}${specs}?pagination.newest_first=F&pagination.first=%2B3&marketID=typo`);
    expect(snake.text).toBe(plain.text);
  });
});

describe('Gateway paths and methods', () => {
  it.each([
    ['/api/v2/network/parameters/reward.asset', 200],
    ['/api/v2/network/parameters/reward%2Easset', 200],
    ['/api/v2/network/parameters/%72eward.asset?pretty', 200],
    // An escape that is none is a name like any other.
    ['/api/v2/network/parameters/reward%zzasset', 100002],
    ['/api/v2/network/parameters/reward%2Fasset', 100002],
    ['/api/v2/network/parameters/:key', 100002],
    ['/api/v2/network/parameters/*', 100002],
    ['/api/v2/network/parameters/', 100002],
    ['/api/v2/network/parameters/reward.asset/', 'Not Found'],
    ['/api/v2/network/parameters//', 'Not Found'],
    ['/api/v2/network/parameters/reward.asset/more', 'Not Found'],
    ['/api/v2/network%2Fparameters', 'Not Found'],
    ['/api/v2/network/Parameters', 'Not Found'],
    ['//api/v2/network/parameters', 'Not Found'],
    ['/api/v2/oracle/spec/', 'Not Found'],
    ['/api/v2/oracle/spec', 'Not Found'],
    ['/api/v2/oracle/spec/:id', 10000],
    ['/api/v2/nope', 'Not Found'],
    ['/api/v2/oracle/specs/', 'Not Found'],
    ['/api/v2/networkhistory/export/', 'Not Found'],
    ['/', 'Not Found'],
    ['/?', 'Not Found'],
    ['/*', 'Not Found'],
    ['/constructor', 'Not Found'],
    ['/__proto__', 'Not Found'],
    ['/health/', 'Not Found'],
    ['/health/x', 'Not Found'],
  ] as const)(
    'The gateway answers %s with the record, the refusal of its handler, or not found',
    async (path, told) => {
      if (told === 200) expect((await ask(node.url + path)).status).toBe(200);
      else expect((await refusal(node.url + path))[2]).toBe(told);
    },
  );

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'The health endpoint answers only GET, not %s',
    async method => {
      expect((await ask(`${node.url}/health`, { method })).status).toBe(404);
    },
  );
});

describe('Gateway answer', () => {
  it('An answer is compact JSON with the height and time of the last block and the rate limits', async () => {
    const { status, headers, text } = await ask(node.url + specs);
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify(JSON.parse(text)).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
    );
    expect(headers.get('content-type')).toEqual(['application/json']);
    expect(headers.get('x-block-height')).toEqual(['23531']);
    expect(headers.get('x-block-timestamp')?.[0]).toMatch(/^\d{16}000$/);
    expect(headers.get('ratelimit-limit')).toEqual(['1000000']);
    expect(headers.get('ratelimit-reset')).toEqual(['1']);
    expect(headers.get('ratelimit-request-remote-addr')).toEqual(['127.0.0.1']);
    expect(headers.get('vary')).toEqual(['Origin']);
    expect(headers.has('etag')).toBe(false);
  });

  it('An answer is indented by one space with pretty, with empty arrays over two lines', async () => {
    const { text } = await ask(`${node.url}${specs}?pretty&pagination.first=x`);
    expect(text).toBe(
      '{\n "code": 3,\n "message": "parsing field \\"first\\": strconv.ParseInt: parsing \\"x\\": invalid syntax",\n "details": [\n ]\n}',
    );
    const page = await ask(`${node.url}${specs}?pretty=1`);
    expect(JSON.parse(page.text)).toEqual(JSON.parse((await ask(node.url + specs)).text));
    expect(page.text).toContain('{\n "oracleSpecs": {\n  "edges": [');
  });
});

describe('Status of the embedded node', () => {
  it('The node reports ok, a version and the state of the chain', async () => {
    const health = await ask(`${node.url}/health`);
    expect([health.text, health.headers.get('content-type')]).toEqual(['ok', ['text/plain; charset=utf-8']]);
    expect(JSON.parse((await ask(`${node.url}/api/v2/info`)).text)).toMatchObject({ version: 'v0.74.10' });
    expect(JSON.parse((await ask(`${node.url}/statistics`)).text)).toMatchObject({
      statistics: {
        chainId: 'demo-chain-1',
        blockHeight: '23531',
        epochSeq: '42',
        status: 'CHAIN_STATUS_CONNECTED',
      },
    });
  });

  it('The node lists 24 segments, newest first, linked and contiguous, one cut short by a schema change', async () => {
    const listed = await segments(node.url);
    expect(listed).toHaveLength(24);
    const ascending = listed.toReversed();
    expect(ascending[0]).toMatchObject({ fromHeight: '1', toHeight: '1000', previousHistorySegmentId: '' });
    for (const [index, segment] of ascending.slice(1).entries()) {
      expect(Number(segment.fromHeight)).toBe(Number(ascending[index]?.toHeight) + 1);
      expect(segment.previousHistorySegmentId).toBe(ascending[index]?.historySegmentId);
    }
    for (const { historySegmentId } of listed) expect(historySegmentId).toMatch(/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/);
    const lengths = ascending.map(({ fromHeight, toHeight }) => Number(toHeight) - Number(fromHeight) + 1);
    expect(lengths.filter(length => length !== 1000)).toEqual([500]);
    const cut = ascending[lengths.indexOf(500)];
    expect(cut).toMatchObject({ fromHeight: '14001', toHeight: '14500', databaseVersion: '68' });
    const versions = ascending.map(({ databaseVersion }) => databaseVersion);
    expect(versions).toEqual(versions.map((_, index) => (index <= 14 ? '68' : '93')));
  });
});
