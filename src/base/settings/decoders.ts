/** Keeps the valid parts of a value and reports the rest; undefined when no part is valid. */
export type Decoder<T> = (value: unknown, tell: ReportProblem) => T | undefined;

/** Reports a mistake in the value, or at a path inside it. */
export type ReportProblem = (problem: string, path?: SettingPath) => undefined;

export type SettingPath = readonly (string | number)[];

export const textDecoder =
  ({ least = 1, most = 10_000 } = {}): Decoder<string> =>
  (value, tell) => {
    if (typeof value !== 'string') return tell('must be text');
    if (value.length < least) return tell(least === 1 ? 'must not be empty' : `must have at least ${least} characters`);
    return value.length > most ? tell(`must have at most ${most} characters`) : value;
  };

export const choiceDecoder =
  <T extends string>(words: readonly T[]): Decoder<T> =>
  (value, tell) =>
    words.find(word => word === value) ?? tell(`must be one of ${words.join(', ')}`);

export const integerDecoder =
  (least: number, most: number): Decoder<number> =>
  (value, tell) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : tell(`must be a whole number from ${least} to ${most}`);

export const booleanDecoder: Decoder<boolean> = (value, tell) =>
  typeof value === 'boolean' ? value : tell('must be true or false');

/** All or nothing: a list without one of its items would mean something else. */
export const listDecoder =
  <T>(member: Decoder<T>): Decoder<readonly T[]> =>
  (value, tell) => {
    if (!Array.isArray(value)) return tell('must be a list');
    const found = value.map((item: unknown, index) => member(item, reportInside(tell, index)));
    const good = found.filter(item => item !== undefined);
    return good.length === found.length ? good : undefined;
  };

/** An object with any names; invalid members are left out. */
export const recordDecoder =
  <T>(
    member: Decoder<T>,
    { name = textDecoder({ least: 0 }), most = 1000 }: { readonly name?: Decoder<string>; readonly most?: number } = {},
  ): Decoder<{ readonly [name: string]: T }> =>
  (value, tell) => {
    if (!isObject(value)) return tell('must be an object');
    const all = Object.entries(value);
    if (all.length > most) return tell(`must have at most ${most} members`);
    return Object.fromEntries(
      all.flatMap(([key, item]) => {
        const isNamed = name(key, problem => tell(`its name ${problem}`, [key])) !== undefined;
        const found = isNamed ? member(item, reportInside(tell, key)) : undefined;
        return found === undefined ? [] : [[key, found] as const];
      }),
    );
  };

/** The members an object may have; an invalid one is left out, and an unknown one is reported. */
export const objectDecoder =
  <T extends object>(members: { readonly [K in keyof T]-?: Decoder<T[K]> }): Decoder<Partial<T>> =>
  (value, tell) => {
    if (!isObject(value)) return tell('must be an object');
    const found: Partial<T> = {};
    for (const name in members) {
      if (!Object.hasOwn(value, name)) continue;
      const member = members[name](value[name], reportInside(tell, name));
      if (member !== undefined) found[name] = member;
    }
    for (const name of Object.keys(value)) if (!Object.hasOwn(members, name)) tell(UNKNOWN_SETTING_PROBLEM, [name]);
    return found;
  };

/** The problem of an unknown member. */
export const UNKNOWN_SETTING_PROBLEM = 'is not a setting';

const reportInside =
  (tell: ReportProblem, name: string | number): ReportProblem =>
  (problem, path = []) =>
    tell(problem, [name, ...path]);

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
