import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as SocketServer } from 'node:net';

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** Lets a server listen on this machine, on a free port unless one is given; at the end its open connections are closed. */
export async function listening(server: Server, port = 0): Promise<Listening> {
  const url = await urlOf(server, port);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Lets a server listen on this machine, on a free port unless one is given; resolves with its base address, without a slash at its end. */
export async function urlOf(server: SocketServer, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return `http://127.0.0.1:${address.port}`;
}
