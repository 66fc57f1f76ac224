import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { DestinationError } from '../../src/export/destination.ts';
import { verifyPipe } from '../../src/export/verify-pipe.ts';

afterEach(() => vi.unstubAllEnvs());

it('a pipe that cannot be kept anywhere is a trouble of the place, which is named', async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  const check = verifyPipe(Readable.from([]), undefined, { signal: new AbortController().signal });
  await expect(check).rejects.toThrow(
    new DestinationError('the folder of /nowhere/a copy of the pipe does not exist: make it, or choose another'),
  );
});
