import {
  type AssetEntry,
  type Directory,
  type MarketEntry,
  NO_NAMES,
  type ValidatorEntry,
} from '../../../src/chain/directory/directory.ts';

export const market = (members: Partial<MarketEntry> = {}): MarketEntry => ({
  code: 'HELDA/HUSD',
  name: 'Helda',
  state: 'STATE_ACTIVE',
  decimalPlaces: 5,
  positionDecimalPlaces: 2,
  asset: '',
  specs: [],
  ...members,
});

export const asset = (members: Partial<AssetEntry> = {}): AssetEntry => ({
  symbol: 'HUSD',
  name: 'Helda dollar',
  status: 'STATUS_ENABLED',
  decimals: 6,
  quantum: '1000000',
  ...members,
});

export const validator = (members: Partial<ValidatorEntry> = {}): ValidatorEntry => ({
  name: 'Validator 0',
  ethereumAddress: '0x01',
  publicKey: '02',
  status: 'VALIDATOR_NODE_STATUS_TENDERMINT',
  ...members,
});

interface Entries {
  readonly markets?: readonly (readonly [id: string, entry: MarketEntry])[];
  readonly assets?: readonly (readonly [id: string, entry: AssetEntry])[];
  readonly validators?: readonly (readonly [id: string, entry: ValidatorEntry])[];
}

/** A directory that knows these, by id in lower case. */
export const directoryWith = ({ markets = [], assets = [], validators = [] }: Entries): Directory => ({
  ...NO_NAMES,
  markets: new Map(markets),
  assets: new Map(assets),
  validators: new Map(validators),
});
