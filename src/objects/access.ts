import { ObjectsError } from './objects-error.ts';

/** Address and keys of a store. */
export interface Access {
  /** Address of the bucket; object keys are appended to it. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** '' for keys that do not expire. */
  readonly sessionToken: string;
}

/** Used when no region is set. */
const USUAL_REGION = 'us-east-1';

/** Reads keys and address from the usual AWS_* variables, and from nowhere else. Throws ObjectsError. */
export function accessFrom(env: NodeJS.ProcessEnv, bucket: string): Access {
  const named = (...names: readonly string[]): string =>
    names.map(name => env[name]?.trim() ?? '').find(value => value !== '') ?? '';
  const [accessKeyId, secretAccessKey] = [named('AWS_ACCESS_KEY_ID'), named('AWS_SECRET_ACCESS_KEY')];
  const missing = [
    ...(accessKeyId === '' ? ['AWS_ACCESS_KEY_ID'] : []),
    ...(secretAccessKey === '' ? ['AWS_SECRET_ACCESS_KEY'] : []),
  ];
  if (missing.length > 0)
    throw new ObjectsError(
      `no keys for s3://${bucket}: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for keys that expire); blockglass reads no credentials file',
    );
  const region = named('AWS_REGION', 'AWS_DEFAULT_REGION') || USUAL_REGION;
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region))
    throw new ObjectsError('AWS_REGION is not a region name', 'write it like eu-west-1');
  const endpoint = named('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL');
  const url = endpoint === '' ? amazonUrl(bucket, region) : `${checkedEndpoint(endpoint)}/${bucket}`;
  return { url, region, accessKeyId, secretAccessKey, sessionToken: named('AWS_SESSION_TOKEN') };
}

/** Buckets are host names at Amazon, except for names that its certificate does not cover. */
function amazonUrl(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket) ? `https://${bucket}.${host}` : `https://${host}/${bucket}`;
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '')
    throw new ObjectsError(
      'AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) is not an address',
      'write it like https://s3.example.org, without a user name or password',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
