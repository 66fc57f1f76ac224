import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { urlOf } from '../support/loopback.ts';

export const hasNginx: boolean = spawnSync('nginx', ['-v']).status === 0;

export interface Front extends AsyncDisposable {
  readonly url: string;
}

/** nginx with docs/guides/guests/nginx.conf in front of a node; only the ports and its own folder differ. */
export async function nginxBefore(node: string): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), 'front-'));
  const port = await freePort();
  const conf = readFileSync(resolve('docs/guides/guests/nginx.conf'), 'utf8')
    .replaceAll('127.0.0.1:3008', new URL(node).host)
    .replaceAll('127.0.0.1:3009', `127.0.0.1:${port}`)
    .replaceAll('/var/cache/nginx/glass', join(folder, 'cache'));
  writeFileSync(join(folder, 'nginx.conf'), outerConf(folder, conf));
  for (const name of ['cache', 'temporary']) mkdirSync(join(folder, name));
  const program = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url, program);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const ended = once(program, 'exit');
      program.kill('SIGTERM');
      if (program.exitCode === null) await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

const outerConf = (folder: string, conf: string): string => `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
events { worker_connections 1024; }
http {
access_log off;
client_body_temp_path ${folder}/temporary;
proxy_temp_path ${folder}/temporary;
fastcgi_temp_path ${folder}/temporary;
uwsgi_temp_path ${folder}/temporary;
scgi_temp_path ${folder}/temporary;
${conf}
}
`;

async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await urlOf(server));
  server.close();
  await once(server, 'close');
  return port;
}

async function untilItAnswers(url: string, program: ReturnType<typeof spawn>): Promise<void> {
  for (;;) {
    if (program.exitCode !== null) throw new Error(`nginx ended with ${program.exitCode}`);
    const isUp = await fetch(`${url}/nothing`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
}
