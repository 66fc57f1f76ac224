import type { Reply } from '../gateway/reply.ts';
import type { Fault } from './fault.ts';

const proxyPage: Reply = {
  status: 502,
  headers: [['Content-Type', 'text/html']],
  body: [
    '<html>',
    '<head><title>502 Bad Gateway</title></head>',
    '<body><center><h1>502 Bad Gateway</h1></center></body>',
    '</html>',
    '',
  ].join('\r\n'),
};

/** Faults of any answer, by name. */
export const ANSWER_FAULTS = {
  slow: {
    on: 'answer',
    about: 'delays every answer by so many milliseconds',
    value: { form: 'MS', unit: 1 },
    strike: { kind: 'wait' },
  },
  html: { on: 'answer', about: '502 with the error page of a proxy', strike: { kind: 'reply', reply: proxyPage } },
  'too-many': { on: 'unary', about: '429 for everything but exports', strike: { kind: 'limited' } },
  'message-limit': {
    on: 'body',
    about: '429 for answers with more bytes than this (normally 20971520)',
    value: { form: 'BYTES', unit: 1 },
    strike: { kind: 'message-limit' },
  },
  growing: {
    on: 'history',
    about: 'adds a segment every so many seconds and removes the oldest',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'growth' },
  },
  behind: {
    on: 'head',
    about: 'stays so many seconds behind its core',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'lag' },
  },
  deadly: {
    on: 'backwards',
    about: 'a backwards export range ends the node (normally a 400)',
    strike: { kind: 'death' },
  },
  down: { on: 'answer', about: 'resets every connection', strike: { kind: 'reset' } },
} as const satisfies Readonly<Record<string, Fault>>;
