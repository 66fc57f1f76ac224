import { type AddressMistake, LATE_AT, readWebAddress, UNREADABLE_ADDRESS } from '../text/web-address.ts';
import {
  booleanDecoder,
  choiceDecoder,
  type Decoder,
  integerDecoder,
  listDecoder,
  objectDecoder,
  type ReportProblem,
  recordDecoder,
  textDecoder,
} from './decoders.ts';
import {
  CHARSETS,
  LAG_SECONDS,
  NODE_CHECK_MODES,
  type NumberBounds,
  PAGE_SIZES,
  PREVIEW_MODES,
  RESTORE_MODES,
  SELECTION_STYLES,
  START_TABS,
  THEME_NAMES,
  TIME_STYLES,
} from './preferences.ts';
import { PROFILE_COLOURS, type Profile, type Settings } from './settings.ts';

function profileNameDecoder(name: unknown, tell: ReportProblem): string | undefined {
  if (name === EMBEDDED_NODE_NAME) return tell('is reserved for the embedded node');
  const text = String(name);
  return text.includes('@') ? tell('has an @: put the address, with its login, in the value') : text;
}

// Reserved: everywhere a node is named, this is the embedded one.
const EMBEDDED_NODE_NAME = 'demo';

const boundedInteger = ({ least, most }: NumberBounds): Decoder<number> => integerDecoder(least, most);

/** The address of a node as written. No message quotes it: it may contain a login. */
function decodeAddress(value: unknown, tell: ReportProblem): string | undefined {
  const text = textDecoder()(value, tell);
  if (text === undefined) return undefined;
  const read = readWebAddress(text);
  return read instanceof URL ? text : tell(ADDRESS_PROBLEMS[read]);
}

const ADDRESS_PROBLEMS: { readonly [mistake in AddressMistake]: string } = {
  unreadable: UNREADABLE_ADDRESS,
  scheme: 'must be http or https',
  'late-at': LATE_AT,
};

/** What each setting may be. */
const SETTING_RULES = {
  node: textDecoder(),
  profiles: recordDecoder<string | Profile>(
    (value, tell) => (typeof value === 'string' ? decodeAddress(value, tell) : decodeProfile(value, tell)),
    { name: profileNameDecoder },
  ),
  pageSize: boundedInteger(PAGE_SIZES),
  theme: choiceDecoder(THEME_NAMES),
  charset: choiceDecoder(CHARSETS),
  times: choiceDecoder(TIME_STYLES),
  selection: choiceDecoder(SELECTION_STYLES),
  preview: choiceDecoder(PREVIEW_MODES),
  restore: choiceDecoder(RESTORE_MODES),
  startTab: choiceDecoder(START_TABS),
  nodeCheck: choiceDecoder(NODE_CHECK_MODES),
  maxLagSeconds: boundedInteger(LAG_SECONDS),
  exportWaitSeconds: integerDecoder(1, 86_400),
  exportIdleSeconds: integerDecoder(1, 86_400),
  history: textDecoder(),
  maxParquetGiB: integerDecoder(0, 1_000_000),
  columns: recordDecoder(recordDecoder(booleanDecoder)),
  aliases: recordDecoder(textDecoder({ most: 60 }), { name: textDecoder({ least: 4, most: 200 }) }),
} as const;

/** The valid settings in a value. */
export const decodeSettings: Decoder<Settings> = objectDecoder<Required<Settings>>(SETTING_RULES);

const PROFILE_RULES = objectDecoder<Required<Profile>>({
  url: decodeAddress,
  colour: choiceDecoder(PROFILE_COLOURS),
  maxLagSeconds: boundedInteger(LAG_SECONDS),
  history: textDecoder(),
  presets: recordDecoder(listDecoder(textDecoder({ least: 0 }))),
});

/** A profile without an address is invalid. */
function decodeProfile(value: unknown, tell: ReportProblem): Profile | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return tell('must be an address, or an object with a url');
  const { url, ...rest } = PROFILE_RULES(value, tell) ?? {};
  if (url === undefined) return Object.hasOwn(value, 'url') ? undefined : tell('has no url');
  return { url, ...rest };
}
