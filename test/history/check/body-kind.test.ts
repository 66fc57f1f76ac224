import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkTrailingBytes, classifyBody } from '../../../src/history/check/body-kind.ts';
import { ByteFeed } from '../../../src/history/check/byte-feed.ts';
import { bodyOf, nodeError } from './samples.ts';

const text = JSON.stringify({ error: nodeError });
const feedOf = (body: Buffer | string) => new ByteFeed(bodyOf(Buffer.from(body), [7]));
const decoded = { code: 13, message: 'Internal error' };
const front = { byteOffset: 0 };

const refusal = 'The node sent an error instead of an archive';
const otherJson = 'The body is JSON, neither an archive nor a known form of error.';
const gzipOf = (what: string) => `The body is gzip around ${what}: request it with Accept-Encoding: identity.`;
const noZip = (shown: string) => `The body is not a ZIP archive: it begins with ${JSON.stringify(shown)}.`;

describe('Opening bytes of an export body', () => {
  test.each(['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0006\u0006', 'P', 'PK', 'PK\u0003', 'PK\u0006'])(
    'A body may be an archive when it begins with %j',
    async start => {
      expect(await classifyBody(feedOf(start))).toEqual({ kind: 'zip' });
      expect(await classifyBody(feedOf(start.padEnd(4, 'x')))).toMatchObject(
        start.length === 4 ? { kind: 'zip' } : { kind: 'other' },
      );
    },
  );

  test.each([
    ['an error', text, refusal],
    ['an error behind white space', ` \n\t${text}\n`, refusal],
    ['an error in gzip', gzipSync(text), refusal],
    ['an error in gzip that is longer than is looked at', gzipSync(text.padEnd(100_000)), refusal],
  ])('A body that is %s is refused with that error', async (_what, body, reason) => {
    expect(await classifyBody(feedOf(Buffer.from(body)))).toMatchObject({
      kind: 'refused',
      finding: { fault: 'not-zip', reason, at: front },
      nodeError: decoded,
    });
  });

  test.each([
    ['an object', '{"segments":[]}'],
    ['an object in gzip', gzipSync('{"segments":[]}')],
    ['an error that is cut', text.slice(0, 40)],
  ])('A body that is %s is refused without an error', async (_what, body) => {
    expect(await classifyBody(feedOf(Buffer.from(body)))).toEqual({
      kind: 'refused',
      finding: { fault: 'not-zip', reason: otherJson, at: front },
      nodeError: undefined,
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'empty-body', 'The node sent an empty body.'],
    ['an archive in gzip', gzipSync('PK\u0003\u0004 and more'), 'gzip', gzipOf('the archive')],
    [
      'the beginning of an archive in gzip',
      gzipSync(`PK\u0003\u0004${'rows '.repeat(99)}`).subarray(0, -9),
      'gzip',
      gzipOf('the archive'),
    ],
    ['a page in gzip', gzipSync('<html>'), 'gzip', gzipOf('something')],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'gzip', gzipOf('something')],
    ['half the mark of gzip', Buffer.from([0x1f, 0x8c]), 'not-zip', noZip('\u001f\u008c')],
    ['the other half', Buffer.from([0x50, 0x8b]), 'not-zip', noZip('P\u008b')],
    ['a page', Buffer.from(`<html>{${'x'.repeat(60)}`), 'not-zip', noZip('<htm')],
  ])('A body that is %s is reported as such', async (_what, body, fault, reason) => {
    expect(await classifyBody(feedOf(body))).toEqual({ kind: 'other', finding: { fault, reason, at: front } });
  });
});

describe('Bytes after the end of an archive', () => {
  const behind = async (rest: string) => {
    const feed = feedOf(`PK${rest}`);
    await feed.take(2);
    return checkTrailingBytes(feed);
  };
  const at = { byteOffset: 2 };

  test('The bytes after an archive may be absent', async () => {
    expect(await behind('')).toEqual({ findings: [] });
  });

  test('The bytes after an archive that form an error are the error of the node', async () => {
    const reason = 'The node closed the archive and then reported that the export had failed';
    for (const rest of [text, `\n${text}\n`])
      expect(await behind(rest)).toMatchObject({ findings: [{ fault: 'node-error', reason, at }], nodeError: decoded });
  });

  test.each([text.slice(0, -1), '{', ' \n{"code":13,"mess'])(
    'The bytes after an archive that begin an error are the error of the node: %j',
    async rest => {
      const reason = 'An error message of the node follows the archive, but it was cut short.';
      expect(await behind(rest)).toEqual({ findings: [{ fault: 'node-error', reason, at }] });
    },
  );

  test.each(['\n', 'more', 'x{', '\0'])(
    'The bytes after an archive that are anything else are damage: %j',
    async rest => {
      const reason = 'Bytes follow the end of the archive.';
      expect(await behind(rest)).toEqual({ findings: [{ fault: 'trailing-bytes', reason, at }] });
    },
  );
});
