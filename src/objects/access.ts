import { ObjectsError } from './objects-error.ts';

/** Who asks a store, and where it is. */
export interface Access {
  /** Of the bucket: keys go behind it. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** '' for keys that do not expire. */
  readonly sessionToken: string;
}

/** The region of a store that names none. */
const USUAL_REGION = 'us-east-1';

/** Keys and address from the variables that S3 tools have in common, and from nowhere else. Throws ObjectsError. */
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
      `the keys for s3://${bucket} are not there: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for keys that expire); no file is read for them',
    );
  const region = named('AWS_REGION', 'AWS_DEFAULT_REGION') || USUAL_REGION;
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region))
    throw new ObjectsError('AWS_REGION is no name of a region', 'it is written like eu-west-1');
  const endpoint = named('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL');
  const url = endpoint === '' ? amazonUrl(bucket, region) : `${checkedEndpoint(endpoint)}/${bucket}`;
  return { url, region, accessKeyId, secretAccessKey, sessionToken: named('AWS_SESSION_TOKEN') };
}

/** A bucket is a host of its own there, but for names that no certificate covers. */
function amazonUrl(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket) ? `https://${bucket}.${host}` : `https://${host}/${bucket}`;
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '')
    throw new ObjectsError(
      'AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) is no address of a store',
      'it is written like https://s3.example.org, without a login',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
