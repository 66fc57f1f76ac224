import { once } from 'node:events';
import { FAULTS_EXPLAINED, FaultListError, startNode } from '../node/index.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

export const serve: Command = {
  form: '',
  about: 'run the embedded node until you stop it',
  examples: ['serve', 'serve --port 0 --faults too-many:2'],
  flags: [
    { name: 'port', kind: 'number', value: 'PORT', about: 'port to listen on, 0 for any free one (3008)' },
    {
      name: 'live',
      kind: 'switch',
      about: 'a chain that goes on: epochs of two minutes, amendments, votes, and trouble that comes and goes',
    },
    { name: 'host', kind: 'text', value: 'ADDRESS', about: 'address to listen on (127.0.0.1)' },
    {
      name: 'faults',
      kind: 'text',
      value: 'LIST',
      about: `simulate faults; NAME:2 for the first two times only:\n${FAULTS_EXPLAINED.join('\n')}`,
    },
  ],
  uses: [],
  run: async (given, { stdout, stderr, signal }) => {
    const port = given.number('port', 0, 65_535) ?? 3008;
    const host = given.text('host') ?? '127.0.0.1';
    const faults = given.text('faults')?.split(',') ?? [];
    const node = await startNode({ port, host, faults, live: given.has('live') }).catch((error: unknown) => {
      if (error instanceof FaultListError) throw new UsageError(error.message);
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
        throw new UsageError(`port ${port} is in use. Choose another with --port.`);
      throw error;
    });
    await stdout.safe(safeLine(node.url));
    const manner = faults.length === 0 ? '' : `, with faults: ${faults.join(', ')}`;
    await stderr.safe(
      safeLine(`serving the demo chain${given.has('live') ? ', which goes on' : ''}${manner}; press Ctrl-C to stop`),
    );
    const interrupted = signal.aborted ? undefined : once(signal, 'abort').then(() => undefined);
    const cause = await Promise.race([interrupted, node.died]);
    await node.close();
    if (cause === undefined) return EXIT.interrupted;
    await stderr.safe(safeLine(`the node died: ${cause.message}`));
    return EXIT.fault;
  },
};
