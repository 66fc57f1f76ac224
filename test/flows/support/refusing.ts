import { createServer, get } from 'node:http';
import { listening } from '../../support/loopback.ts';

/** A proxy before a node that answers the first requests with 503; `asked` has the path of each, in their order. */
export async function startRefusing(node: string, refusals: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (asked.length <= refusals) {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"code":14,"message":"unavailable","details":[]}');
      return;
    }
    const upstream = get(`${node}${request.url}`, { headers: { accept: request.headers.accept ?? '*/*' } }, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', error => response.destroy(error));
  });
  return Object.assign(await listening(server), { asked });
}
