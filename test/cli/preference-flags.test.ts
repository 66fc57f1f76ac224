import { describe, expect, it } from 'vitest';
import { PREFERENCES, type Preference, START_TABS } from '../../src/base/settings/preferences.ts';
import { COMMON_FLAGS, readFlags } from '../../src/cli/flags.ts';
import { PREFERENCE_FLAGS, readPreferences } from '../../src/cli/preference-flags.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';

const said = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  readPreferences(readFlags(words, [...COMMON_FLAGS, ...PREFERENCE_FLAGS]), env);

/** Texts that a preference takes, with what they are. */
const goodOf = ({ values }: Preference): readonly (readonly [string, string | number])[] =>
  'least' in values
    ? [values.least, values.most].map(number => [String(number), number])
    : values.map(word => [word, word]);

const badOf = ({ values }: Preference): readonly string[] =>
  'least' in values
    ? [`${values.least - 1}`, `${values.most + 1}`, '1e2', '', ' 7', 'many', '9'.repeat(40)]
    : [`${values[0]} `, values[0]?.toUpperCase() ?? '', 'toString', '7'];

describe.each(PREFERENCES)('Preference $name', preference => {
  const { name, flag, env } = preference;

  it('The preference is taken from its flag, or else from its variable', () => {
    for (const [text, value] of goodOf(preference)) {
      expect(said([`--${flag}`, text])).toEqual({ [name]: value });
      expect(said([], { [env]: text })).toEqual({ [name]: value });
    }
    const [[first = '', value] = [], [second = ''] = []] = goodOf(preference);
    expect(said([`--${flag}`, first], { [env]: second })).toEqual({ [name]: value });
  });

  it('The preference is not set by an empty variable', () => {
    expect(said([], { [env]: '' })).toEqual({});
  });

  it('The preference with an unknown value is a usage error that lists the known ones', () => {
    for (const text of badOf(preference)) {
      expect(() => said([`--${flag}=${text}`]), text).toThrow(UsageError);
      expect(() => said([`--${flag}=${text}`])).toThrow(new RegExp(`^--${flag} must be .*, not "`));
      if (text !== '') expect(() => said([], { [env]: text })).toThrow(new RegExp(`^${env} must be .*, not "`));
    }
  });
});

it('A wrong preference is reported with its allowed values', () => {
  expect(() => said(['--theme', 'pink'])).toThrow(
    new UsageError('--theme must be one of auto, dark, light, contrast, mono, not "pink"'),
  );
  expect(() => said([], { BLOCKGLASS_MAX_LAG: '0' })).toThrow(
    new UsageError('BLOCKGLASS_MAX_LAG must be a whole number from 1 to 86400, not "0"'),
  );
});

it('The preference for the start tab accepts every tab', () => {
  expect([...START_TABS].toSorted()).toEqual([...TAB_IDS, 'last'].toSorted());
});
