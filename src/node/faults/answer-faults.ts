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

/** What can go wrong with any answer, by the name it is asked for. */
export const ANSWER_FAULTS = {
  slow: {
    on: 'answer',
    about: 'every answer comes so many milliseconds later',
    value: { form: 'MS', unit: 1 },
    strike: { kind: 'wait' },
  },
  html: { on: 'answer', about: "502 and a proxy's page", strike: { kind: 'reply', reply: proxyPage } },
  'too-many': { on: 'unary', about: '429 on everything but exports', strike: { kind: 'limited' } },
  'message-limit': {
    on: 'body',
    about: '429 for an answer of more bytes; without this fault of more than 20971520',
    value: { form: 'BYTES', unit: 1 },
    strike: { kind: 'message-limit' },
  },
  growing: {
    on: 'history',
    about: 'a new segment every so many seconds, and the oldest one goes',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'growth' },
  },
  behind: {
    on: 'head',
    about: 'it has stored no block of the last so many seconds; its core has',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'lag' },
  },
  deadly: {
    on: 'backwards',
    about: 'an export range that runs backwards ends the node, else it is a 400',
    strike: { kind: 'death' },
  },
  down: { on: 'answer', about: 'every connection is reset', strike: { kind: 'reset' } },
} as const satisfies Readonly<Record<string, Fault>>;
