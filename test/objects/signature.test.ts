import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/objects/signature.ts';

const keys = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
};

const at = new Date('2013-05-24T00:00:00Z');

const signatureIn = (headers: Readonly<Record<string, string>>): string =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1] ?? '';

// The examples of the chapter "Signature Calculations for the Authorization Header" of the Amazon S3 API reference.
describe('a signature', () => {
  it('is that of the published example of a GET of a range', () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
    const headers = signedHeaders({ method: 'GET', url, headers: { range: 'bytes=0-9' }, body: '' }, keys, at);
    expect(signatureIn(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  it('is that of the published example of a PUT with a body, and a name that is written in percents', () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test%24file.text');
    const own = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    const headers = signedHeaders({ method: 'PUT', url, headers: own, body: 'Welcome to Amazon S3.' }, keys, at);
    expect(signatureIn(headers)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });

  it('is that of the published examples of queries, with a value and without', () => {
    const lifecycle = new URL('https://examplebucket.s3.amazonaws.com/?lifecycle');
    const first = signedHeaders({ method: 'GET', url: lifecycle, headers: {}, body: '' }, keys, at);
    expect(signatureIn(first)).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
    const list = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J');
    const second = signedHeaders({ method: 'GET', url: list, headers: {}, body: '' }, keys, at);
    expect(signatureIn(second)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
  });

  it('covers the token of keys that expire, and holds no secret', () => {
    const url = new URL('https://b.s3.amazonaws.com/a');
    const plain = signedHeaders({ method: 'GET', url, headers: {}, body: '' }, keys, at);
    const headers = signedHeaders(
      { method: 'GET', url, headers: {}, body: '' },
      { ...keys, sessionToken: 'TOKEN' },
      at,
    );
    expect(headers['x-amz-security-token']).toBe('TOKEN');
    expect(headers.authorization).toMatch(/SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/);
    expect(signatureIn(headers)).not.toBe(signatureIn(plain));
    expect(JSON.stringify(headers)).not.toContain(keys.secretAccessKey);
  });
});
