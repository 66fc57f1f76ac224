import type { SavedView } from '../../../src/base/settings/saved-view.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { FetchedPage } from '../../../src/chain/resources/fetch-page.ts';
import type { NodeConnection } from '../../../src/explorer/services/node/connection.ts';
import type { OfferedNode, ProbeAnswer } from '../../../src/explorer/services/node/offered-node.ts';
import type { World } from '../../../src/explorer/services/world.ts';
import { type Call, FakeWorld, last, press, told } from './fake-world.ts';
import { showing } from './list-scenes.ts';
import { provisionPage } from './provision-pages.ts';

export const offered = (name: string): OfferedNode => ({
  choice: { kind: 'profile', name },
  name,
  address: `http://${name}`,
});

export const OFFERED = [offered('main'), offered('backup')];

export const answered = (chainId: string, block: string | null, ageMs: number | null = 1000) =>
  ({
    kind: 'answered',
    version: 'v0.74.10',
    chainId,
    block,
    ageMs,
    latencyMs: 12,
  }) satisfies ProbeAnswer;

/** Segments of a thousand blocks with these ids. */
export const historyOf = (chainId: string, ...ids: readonly string[]): readonly Segment[] =>
  ids.map((historySegmentId, index) => ({
    ...{ fromHeight: BigInt(index * 1000 + 1), toHeight: BigInt(index * 1000 + 1000), chainId, historySegmentId },
    ...{ previousHistorySegmentId: ids[index - 1] ?? '', databaseVersion: '93' },
  }));

/** The picker over a list, of two profiles and the embedded node, which is in use; nothing has answered yet. */
export async function inPicker(fake: FakeWorld = new FakeWorld(), columns = 80) {
  fake.offered = OFFERED;
  const { session, world } = await showing(provisionPage(1), { world: fake, columns });
  press(session, 'N');
  await told();
  return { session, world };
}

/** Connects to the node that was chosen last. */
export async function answerNode(
  world: FakeWorld,
  known: { readonly label: string; readonly address: string; readonly view?: SavedView },
): Promise<void> {
  last(world.connections).answer({ preferences: {}, notice: null, ...known });
  await told();
}

/** A world that goes on with what nobody wants to know any more, as a request that is on its way may. */
export class StubbornWorld extends FakeWorld {
  readonly asked: { readonly node: string; readonly answer: (page: FetchedPage) => void }[] = [];
  #node = 'demo';

  override readonly connect: World['connect'] = async (choice, signal) => {
    if (choice.kind === 'start') {
      this.#node = 'demo';
      return this.connected;
    }
    const known = await open(this.connections, choice, signal);
    if (!signal.aborted) this.#node = known.label;
    return known;
  };
  override readonly probe: World['probe'] = (choice, signal) => open(this.probes, choice, signal);
  override readonly page: NodeConnection['page'] = (resource, request, signal) => {
    const { promise, resolve } = Promise.withResolvers<FetchedPage>();
    this.asked.push({ node: this.#node, answer: resolve });
    this.pages.push({ asked: { resource: resource.id, request }, signal, answer: resolve, fail: () => {} });
    return promise;
  };
}

function open<Asked, Answer>(calls: Call<Asked, Answer>[], asked: Asked, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  calls.push({ asked, signal, answer: resolve, fail: reject });
  return promise;
}
