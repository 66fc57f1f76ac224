import { type Chain, clientFor, NOW_MS, page, SOUND, validator } from '../../attention/overview/sound-chain.ts';
import { FakeWorld, startSession, told } from './fake-world.ts';

interface Scene {
  readonly chain?: Chain;
  readonly columns?: number;
  readonly rows?: number;
  readonly world?: FakeWorld;
}

/** A chain on which something of each severity is found. */
export const TROUBLED: Chain = {
  ...SOUND,
  nodes: page(
    'nodes',
    [0, 1, 2, 3, 4].map(index =>
      validator(index, {
        rewardScore: { multisigScore: '0', validatorStatus: 'VALIDATOR_NODE_STATUS_TENDERMINT' },
        ...(index === 4 && {
          rankingScore: { status: 'VALIDATOR_NODE_STATUS_ERSATZ', votingPower: '0', performanceScore: '0.5' },
        }),
      }),
    ),
  ),
  'networkhistory/segments': { segments: [] },
};

/** The overview of a chain that is as told, answered. */
export async function onOverview({ chain = TROUBLED, world = new FakeWorld(), ...size }: Scene = {}) {
  world.clockMs = NOW_MS;
  world.client = () => clientFor(chain);
  const { session } = await startSession({ ...size, tab: 'overview', world });
  await session.idle();
  await told();
  return { session, world };
}
