import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import {
  answerBytes,
  chunked,
  type Headers,
  type NetworkFault,
  type SoundAnswer,
  type Step,
  soundBytes,
  soundHeaders,
} from './answer.ts';

const fault = (name: string, steps: NetworkFault['steps'], more: Partial<NetworkFault> = {}): NetworkFault => ({
  name,
  steps,
  ...more,
});

const early = (name: string, ...steps: readonly Step[]): NetworkFault => fault(name, () => steps, { isEarly: true });

/** The sound body under these headers beside the sound ones. */
const withHeaders = (name: string, ...headers: Headers): NetworkFault =>
  fault(name, sound => [answerBytes(sound.body, [...soundHeaders(sound), ...headers]), 'end']);

const framed = (name: string, bytes: (sound: SoundAnswer) => Buffer, ...headers: Headers): NetworkFault =>
  fault(name, sound => [answerBytes(bytes(sound), [...soundHeaders(sound), ...headers]), 'end']);

const length = (name: string, value: (bytes: number) => string): NetworkFault =>
  fault(name, sound => [
    answerBytes(sound.body, [...soundHeaders(sound), ['Content-Length', value(sound.body.length)]]),
    'end',
  ]);

const CHUNKED: Headers[number] = ['Transfer-Encoding', 'chunked'];
const GZIP: Headers[number] = ['Content-Encoding', 'gzip'];
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);
const changedAt = (bytes: Buffer, at: number): Buffer =>
  Buffer.from(bytes).fill(bytes.readUInt8(at) ^ 0xff, at, at + 1);

const connections: readonly NetworkFault[] = [
  early('closed at once', 'end'),
  early('reset at once', 'reset'),
  early('silence', 'stall'),
  early('an answer before the request', answerBytes(Buffer.from('{}')), 'end'),
  early('an alert of TLS', Buffer.from([21, 3, 1, 0, 2, 2, 40]), 'end'),
  early('an HTTP/2 frame', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]), 'stall'),
  early('a greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n', 'stall'),
  fault('closed after the request', () => ['end']),
  fault('reset after the request', () => ['reset']),
  fault('half a status line', () => ['HTTP/1.1 20', 'end']),
  fault('half a status line and silence', () => ['HTTP/1.1 20', 'stall']),
  fault('headers without an end', () => ['HTTP/1.1 200 OK\r\nContent-Type: appl', 'end']),
  fault('headers that never end', () => [
    'HTTP/1.1 200 OK\r\n',
    ...Array.from({ length: 20 }, (_, line): Step[] => [`X-${line}: y\r\n`, { silentMs: 50 }]).flat(),
    'stall',
  ]),
  fault('no HTTP', () => [Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10]), 'end']),
  fault('a body without a head', ({ body }) => [body, 'end']),
  fault('a thousand hints before it', sound => [
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000),
    soundBytes(sound),
    'end',
  ]),
  fault('100 before it', sound => ['HTTP/1.1 100 Continue\r\n\r\n', soundBytes(sound), 'end']),
  fault('100 for ever', () => ['HTTP/1.1 100 Continue\r\n\r\n', 'stall']),
  fault('a second answer behind it', sound => [soundBytes(sound), answerBytes(Buffer.from('{"evil":1}')), 'end']),
  fault('the head and no body', sound => [soundBytes(sound).subarray(0, -sound.body.length), 'end']),
  fault('the head and silence', sound => [soundBytes(sound).subarray(0, -sound.body.length), 'stall']),
  fault('half the body', sound => [soundBytes(sound).subarray(0, -(sound.body.length >> 1)), 'end']),
  fault('half the body and a reset', sound => [
    soundBytes(sound).subarray(0, -(sound.body.length >> 1)),
    { silentMs: 30 },
    'reset',
  ]),
  fault('half the body and silence', sound => [soundBytes(sound).subarray(0, -(sound.body.length >> 1)), 'stall']),
  fault('all but the last byte and silence', sound => [soundBytes(sound).subarray(0, -1), 'stall']),
  fault('a pause in the middle', sound => [
    half(soundBytes(sound)),
    { silentMs: 300 },
    soundBytes(sound).subarray(soundBytes(sound).length >> 1),
    'end',
  ]),
  fault('the first hundred bytes one by one', sound => [
    ...Array.from({ length: 100 }, (_, at): Step[] => [soundBytes(sound).subarray(at, at + 1), { silentMs: 2 }]).flat(),
    soundBytes(sound).subarray(100),
    'end',
  ]),
];

// Far more than any page may have.
const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * 2 ** 20, '['));
const SPACES = 20 * 2 ** 20;

const framings: readonly NetworkFault[] = [
  length('a length too large', bytes => String(bytes + 10)),
  length('a length too small', bytes => String(bytes - 10)),
  length('a negative length', () => '-1'),
  length('a length that is no number', () => 'many'),
  length('a length beyond all', () => '9223372036854775807'),
  length('an empty length', () => ''),
  fault('two lengths', sound => [
    answerBytes(sound.body, [
      ...soundHeaders(sound),
      ['Content-Length', '5'],
      ['Content-Length', String(sound.body.length)],
    ]),
    'end',
  ]),
  fault('no length, ended by the connection', sound => [
    Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'), half(sound.body)]),
    'end',
  ]),
  fault('HTTP/1.0, ended by the connection', sound => [
    Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), half(sound.body)]),
    'end',
  ]),
  fault('a length and chunks', sound => [
    answerBytes(chunked(sound.body), [...soundHeaders(sound), CHUNKED, ['Content-Length', '3']]),
    'end',
  ]),
  framed('chunks', ({ body }) => chunked(half(body), body.subarray(body.length >> 1)), CHUNKED),
  framed('chunks without the last', ({ body }) => chunked(body).subarray(0, -5), CHUNKED),
  framed('a chunk cut short', ({ body }) => chunked(body).subarray(0, body.length >> 1), CHUNKED),
  framed('a chunk of no size', ({ body }) => Buffer.concat([Buffer.from('zz\r\n'), body]), CHUNKED),
  framed('a chunk larger than it says', ({ body }) => Buffer.concat([Buffer.from('5\r\n'), body]), CHUNKED),
  framed('a chunk of endless size', ({ body }) => Buffer.concat([Buffer.from(`${'f'.repeat(40)}\r\n`), body]), CHUNKED),
  framed('gzip', ({ body }) => gzipSync(body), GZIP),
  framed('gzip cut short', ({ body }) => half(gzipSync(body)), GZIP),
  framed('gzip without its last bytes', ({ body }) => gzipSync(body).subarray(0, -4), GZIP),
  framed('gzip with a wrong checksum', ({ body }) => changedAt(gzipSync(body), gzipSync(body).length - 6), GZIP),
  framed('gzip with a bit turned', ({ body }) => changedAt(gzipSync(body), gzipSync(body).length >> 1), GZIP),
  framed('gzip and more behind it', ({ body }) => Buffer.concat([gzipSync(body), Buffer.from('more')]), GZIP),
  framed('gzip twice', ({ body }) => gzipSync(gzipSync(body)), GZIP),
  framed('gzip that says nothing of it', ({ body }) => gzipSync(body)),
  framed('no gzip that says it is', ({ body }) => body, GZIP),
  framed('brotli', ({ body }) => brotliCompressSync(body), ['Content-Encoding', 'br']),
  framed('deflate', ({ body }) => deflateRawSync(body), ['Content-Encoding', 'deflate']),
  framed('an encoding nobody knows', ({ body }) => body, ['Content-Encoding', 'secret']),
  framed('200 MiB in gzip', bomb, GZIP),
  framed(
    'the answer in gzip behind 200 MiB of spaces',
    ({ body }) => gzipSync(Buffer.concat([Buffer.alloc(10 * SPACES, ' '), body])),
    GZIP,
  ),
  framed(
    '20 MiB in each of 50 members of gzip',
    ({ body }) =>
      Buffer.concat([...Array.from({ length: 50 }, () => gzipSync(Buffer.alloc(SPACES, ' '))), gzipSync(body)]),
    GZIP,
  ),
  fault('200 MiB in gzip with status 500', () => [answerBytes(bomb(), [GZIP], '500 Said'), 'end']),
  fault('200 MiB in gzip with status 404', () => [answerBytes(bomb(), [GZIP], '404 Said'), 'end']),
];

const headers: readonly NetworkFault[] = [
  withHeaders('a header of 20 kB', ['X-Long', 'y'.repeat(20_000)]),
  withHeaders('two thousand headers', ...Array.from({ length: 2000 }, (_, line) => [`X-${line}`, 'y'] as const)),
  fault('a header without a colon', sound => [
    Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'), sound.body]),
    'end',
  ]),
  fault('a header with a zero byte', sound => [answerBytes(sound.body, [['X-Zero', 'a\0b']]), 'end']),
  withHeaders('a header with controls', ['X-Controls', '\u009b31m\u0085']),
  withHeaders('another content type', ['Content-Type', 'text/html']),
  withHeaders('an upgrade', ['Connection', 'upgrade'], ['Upgrade', 'websocket']),
  withHeaders('limits of zero', ['Ratelimit-Limit', '0'], ['Ratelimit-Remaining', '0']),
  withHeaders('limits that are none', ['Ratelimit-Limit', '-5'], ['Ratelimit-Remaining', 'NaN']),
  withHeaders('a height of 400 digits', ['X-Block-Height', '9'.repeat(400)], ['X-Block-Timestamp', '9'.repeat(400)]),
  withHeaders('a height that is none', ['X-Block-Height', '-1e9'], ['X-Block-Timestamp', 'yesterday']),
];

const STATUSES = [
  ...['101', '201', '202', '204', '205', '206', '299', '300', '301', '302', '303', '304', '307', '308'],
  ...['400', '401', '403', '404', '405', '407', '408', '410', '413', '414', '418', '429', '431', '451'],
  ...['500', '501', '502', '503', '504', '505', '511', '520', '599', '600', '999', '000', '20', '2000', 'OK'],
];
const FAULT_BODY = Buffer.from('{"code":13,"message":"Internal error","details":[]}');

const statuses: readonly NetworkFault[] = [
  ...STATUSES.flatMap(status => [
    fault(`status ${status} with a fault`, () => [answerBytes(FAULT_BODY, [], `${status} Said`), 'end']),
    fault(`status ${status} with the answer`, sound => [
      answerBytes(sound.body, soundHeaders(sound), `${status} Said`),
      'end',
    ]),
  ]),
  ...['301', '302', '307', '308'].map(status =>
    fault(`status ${status} to elsewhere`, () => [
      answerBytes(Buffer.alloc(0), [['Location', 'http://127.0.0.1:9/x']], status),
      'end',
    ]),
  ),
  ...['1', '0', '-1', '99999999999', 'soon', 'Wed, 21 Oct 2065 07:28:00 GMT'].map(after =>
    fault(`429 for ${after}`, () => [
      answerBytes(
        FAULT_BODY,
        [
          ['Retry-After', after],
          ['RateLimit-Retry-After', after],
        ],
        '429 Too Many',
      ),
      'end',
    ]),
  ),
];

/** What can go wrong on the way, whatever the body says. */
export const transportFaults: readonly NetworkFault[] = [...connections, ...framings, ...headers, ...statuses];
