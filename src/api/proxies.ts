const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const;

/** The proxies of an environment as Node's agents take them. One without a scheme is a proxy too, as it is to curl. */
export function proxySettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    NAMES.flatMap(name => {
      const value = env[name]?.trim();
      return value ? [[name, isList(name) || value.includes('://') ? value : `http://${value}`]] : [];
    }),
  );
}

/** The variable that names a proxy for this address; undefined when none does. NO_PROXY may except it all the same. */
export function proxyVariable(env: NodeJS.ProcessEnv, url: string): string | undefined {
  const wanted = url.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  return NAMES.find(name => name.toLowerCase() === wanted && env[name]?.trim());
}

const isList = (name: string): boolean => name.toLowerCase() === 'no_proxy';
