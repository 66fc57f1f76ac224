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
export const answerFaults = {
  slow: {
    on: 'answer',
    about: 'every answer comes so many milliseconds later',
    strike: { kind: 'wait', unitMs: 1 },
  },
  html: { on: 'answer', about: "502 and a proxy's page", strike: { kind: 'reply', reply: proxyPage } },
  'too-many': { on: 'unary', about: '429 on everything but exports', strike: { kind: 'limited' } },
  down: { on: 'answer', about: 'every connection is reset', strike: { kind: 'reset' } },
} as const satisfies Readonly<Record<string, Fault>>;
