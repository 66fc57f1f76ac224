/** An address and its login, separated so that messages, logs and files never show the login. */
interface Login {
  /** The address without user and password. */
  readonly base: URL;
  /** Value of the authorization header; undefined when the address has no login. */
  readonly authorization: string | undefined;
}

/** Separates user name and password from an address. */
export function splitLogin(address: URL): Login {
  const base = withoutLogin(address);
  const { username, password } = address;
  if (username === '' && password === '') return { base, authorization: undefined };
  const words = `${decoded(username)}:${decoded(password)}`;
  return { base, authorization: `Basic ${Buffer.from(words).toString('base64')}` };
}

/** The address without user name and password. */
export function withoutLogin(address: URL): URL {
  const base = new URL(address);
  base.username = '';
  base.password = '';
  return base;
}

/** Hides the login of an address in a text. The user name goes too, as it may be a token. */
export const hideLogin = (text: string): string => text.replace(/:\/\/.*@/s, '://***@');

/** The logins in command-line words or environment values, each including its @. */
export function findLogins(words: readonly string[]): readonly string[] {
  // Compiling the expression takes 5 ms, too long before the first frame if no login is given.
  return words
    .filter(word => word.includes('@'))
    .flatMap(word => {
      const login = /^(?:--?[\w-]+=)?(?:[a-z][a-z0-9+.-]*:\/\/)?(.*@)/is.exec(word)?.[1];
      return login === undefined || login === '@' ? [] : [login];
    });
}

// A percent sign that is not an escape stands for itself.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
