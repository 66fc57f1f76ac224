/** What a node's address says of who asks: kept apart from it, so that no message, log or file that names it tells. */
export interface Login {
  /** The address without user and password. */
  readonly base: URL;
  /** Value of the authorization header; undefined when the address holds no login. */
  readonly authorization: string | undefined;
}

export function splitLogin(address: URL): Login {
  const base = withoutLogin(address);
  const { username, password } = address;
  if (username === '' && password === '') return { base, authorization: undefined };
  const words = `${decoded(username)}:${decoded(password)}`;
  return { base, authorization: `Basic ${Buffer.from(words).toString('base64')}` };
}

export function withoutLogin(address: URL): URL {
  const base = new URL(address);
  base.username = '';
  base.password = '';
  return base;
}

/** Text without the login of an address in it; a user name may be a token, so it goes too. */
export const hideLogin = (text: string): string => text.replace(/:\/\/.*@/s, '://***@');

/** The logins in words of a command line and in an environment, as they stand there, each with the @ behind it. */
export function loginsIn(words: readonly string[]): readonly string[] {
  return words.flatMap(word => {
    const login = /^(?:--?[\w-]+=)?(?:[a-z][a-z0-9+.-]*:\/\/)?(.*@)/is.exec(word)?.[1];
    return login === undefined || login === '@' ? [] : [login];
  });
}

// Whoever types a percent sign for itself means it.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
