import type { KnownNames } from '../../../src/chain/directory/cached-names.ts';
import type { NodeConnection } from '../../../src/explorer/services/node/connection.ts';
import { type Call, FakeWorld, last, told } from './fake-world.ts';

type Asked = Parameters<NodeConnection['directory']>[0];

/** A world whose names come when the test says so. */
export class NamingWorld extends FakeWorld {
  readonly names: Call<Asked, KnownNames>[] = [];
  override directory: NodeConnection['directory'] = (asked, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<KnownNames>();
    signal.addEventListener('abort', () => reject(signal.reason));
    this.names.push({ asked, signal, answer: resolve, fail: reject });
    return promise;
  };
}

/** Answers what was asked for names last. */
export async function answerNames(world: NamingWorld, known: KnownNames): Promise<void> {
  last(world.names).answer(known);
  await told();
}
