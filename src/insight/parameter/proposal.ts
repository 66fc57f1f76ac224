/** The line for a parameter under `governance.proposal.`, which every kind of proposal has, in the notation of the facts. */
export function proposalLine(key: string): string | undefined {
  const [, kind = '', name = ''] = /^governance\.proposal\.(\w+)\.(\w+)$/.exec(key) ?? [];
  const named = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  // A freeform proposal enacts nothing, and these two of a transfer have their own line in the facts.
  const isOther = (kind === 'freeform' || kind === 'transfer') && name.endsWith('Enact');
  if (named === undefined || parameter === undefined || isOther) return undefined;
  const [proposal, since, isDear] = named;
  const { form, meaning, usual, dear } = parameter;
  return `${key} | ${form} | ${isDear ? dear : usual} | ${since} | ${meaning.replace('A PROPOSAL', proposal)}`;
}

/** The name in a sentence, the first release, and whether it has the higher defaults. */
const KINDS: { readonly [kind: string]: readonly [proposal: string, since: string, isDear: boolean] } = {
  AutomatedPurchaseConfig: ['an automated purchase', '0.79.0', true],
  VolumeDiscountProgram: ['a volume discount', '0.73.0', true],
  VolumeRebateProgram: ['a volume rebate', '0.78.0', true],
  asset: ['a new asset', '0.26.0', false],
  freeform: ['a freeform', '0.46.0', false],
  market: ['a new market', '0.26.0', false],
  referralProgram: ['a referral program', '0.73.0', true],
  transfer: ['a governance transfer', '0.72.0', false],
  updateAsset: ['an asset update', '0.54.0', false],
  updateMarket: ['a market update', '0.26.0', false],
  updateNetParam: ['a network parameter', '0.26.0', false],
};

interface ProposalParameter {
  readonly form: string;
  readonly meaning: string;
  readonly usual: string;
  readonly dear: string;
}

const TIME = 'duration | 1s .. 8760h';
const BALANCE = 'uint asset-amount | 1 ..';
const SHARE = 'decimal fraction | 0 .. 1';

const PARAMETERS: { readonly [name: string]: ProposalParameter } = {
  maxClose: {
    form: TIME,
    meaning: 'Latest A PROPOSAL vote may close, counted from submission of the proposal.',
    usual: '8760h0m0s',
    dear: '8760h0m0s',
  },
  maxEnact: {
    form: TIME,
    meaning: 'Latest A PROPOSAL proposal may be enacted, counted from its submission.',
    usual: '8760h0m0s',
    dear: '8760h0m0s',
  },
  minClose: {
    form: TIME,
    meaning: 'Earliest A PROPOSAL vote may close, counted from submission of the proposal.',
    usual: '48h0m0s',
    dear: '120h0m0s',
  },
  minEnact: {
    form: TIME,
    meaning: 'Earliest A PROPOSAL proposal may be enacted, counted from its submission.',
    usual: '48h0m0s',
    dear: '120h0m0s',
  },
  minProposerBalance: {
    form: BALANCE,
    meaning: 'Staked governance tokens a party needs to submit A PROPOSAL proposal.',
    usual: '1',
    dear: '10000000000000000000000',
  },
  minVoterBalance: {
    form: BALANCE,
    meaning: 'Staked governance tokens a party needs to vote on A PROPOSAL proposal.',
    usual: '1',
    dear: '1000000000000000000',
  },
  requiredMajority: {
    form: SHARE,
    meaning: 'Share of the voting tokens that must say yes for A PROPOSAL proposal to pass.',
    usual: '0.66',
    dear: '0.66',
  },
  requiredParticipation: {
    form: SHARE,
    meaning: 'Share of the governance token supply that must vote on A PROPOSAL proposal.',
    usual: '0.00001',
    dear: '0.01',
  },
};
