import { type Decoder, listOfAll, membersOf, oneOf, recordOf, someText, type Tell, truth, whole } from './decode.ts';
import {
  CHARSETS,
  LAG_SECONDS,
  MOUSE,
  NODE_CHECK,
  type NumberBounds,
  PAGE_SIZES,
  RESTORE,
  SELECTIONS,
  START_TABS,
  THEME_NAMES,
  TIMES,
} from './preferences.ts';
import { PROFILE_COLOURS, type Profile, type Settings } from './settings.ts';

function profileName(name: unknown, tell: Tell): string | undefined {
  if (name === EMBEDDED) return tell('is reserved for the embedded node');
  const text = String(name);
  return text.includes('@') ? tell('has an @: put the address, with its login, in the value') : text;
}

// Reserved: everywhere a node is named, this is the embedded one.
const EMBEDDED = 'demo';

const within = ({ least, most }: NumberBounds): Decoder<number> => whole(least, most);

/** What each setting may be. */
const SETTING_RULES = {
  node: someText(),
  profiles: recordOf<string | Profile>(
    (value, tell) => (typeof value === 'string' ? someText()(value, tell) : profile(value, tell)),
    { name: profileName },
  ),
  pageSize: within(PAGE_SIZES),
  theme: oneOf(THEME_NAMES),
  charset: oneOf(CHARSETS),
  times: oneOf(TIMES),
  selection: oneOf(SELECTIONS),
  mouse: oneOf(MOUSE),
  restore: oneOf(RESTORE),
  startTab: oneOf(START_TABS),
  nodeCheck: oneOf(NODE_CHECK),
  maxLagSeconds: within(LAG_SECONDS),
  exportWaitSeconds: whole(1, 86_400),
  exportIdleSeconds: whole(1, 86_400),
  columns: recordOf(recordOf(truth)),
  aliases: recordOf(someText({ most: 60 }), { name: someText({ least: 4, most: 200 }) }),
} as const;

/** The valid settings in a value. */
export const decodeSettings: Decoder<Settings> = membersOf<Required<Settings>>(SETTING_RULES);

const PROFILE_RULES = membersOf<Required<Profile>>({
  url: someText(),
  colour: oneOf(PROFILE_COLOURS),
  maxLagSeconds: within(LAG_SECONDS),
  presets: recordOf(listOfAll(someText({ least: 0 }))),
});

/** A profile without an address is invalid. */
function profile(value: unknown, tell: Tell): Profile | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return tell('must be an address, or an object with a url');
  const { url, ...rest } = PROFILE_RULES(value, tell) ?? {};
  if (url === undefined) return Object.hasOwn(value, 'url') ? undefined : tell('has no url');
  return { url, ...rest };
}
