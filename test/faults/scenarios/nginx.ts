import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port';
import { Nginx } from '../../support/nginx';
import type { Installation } from '../installation';
import { isInstalled } from '../programs';
import { RedisServer } from '../redis-server';
import { startPostgres, type Clients, type Scenarios } from '../scenario';

/** nginx with the documented settings, in front of all nodes; without TLS, which changes nothing here. */
async function nginxBefore(installation: Installation): Promise<{ nginx: Nginx; address: string }> {
  const { site, upstream } = Nginx.documented();
  const port = await freePort();
  const nodes = installation.nodes.map((node) => `127.0.0.1:${node.port}`);
  const folder = join(installation.folder, 'nginx');
  mkdirSync(folder);
  const nginx = await Nginx.start(folder, port, upstream + site, [
    ['listen 443 ssl http2', `listen 127.0.0.1:${port}`],
    ['    ssl_certificate     /etc/letsencrypt/live/chat.example.com/fullchain.pem;\n', ''],
    ['    ssl_certificate_key /etc/letsencrypt/live/chat.example.com/privkey.pem;\n', ''],
    ['    server 10.0.0.11:9991;\n', ''],
    ['    server 10.0.0.12:9991;\n', nodes.map((node) => `    server ${node};\n`).join('')],
    ['    server 10.0.0.11:9991 backup max_fails=0;\n', ''],
    [
      '    server 10.0.0.12:9991 backup max_fails=0;\n',
      nodes.map((node) => `    server ${node} backup max_fails=0;\n`).join(''),
    ],
    ['http://127.0.0.1:9991', 'http://parley'],
  ]);
  installation.atEnd(() => nginx.stop());
  return { nginx, address: `http://127.0.0.1:${port}` };
}

/** How often all clients together got which answer. */
function statuses({ writers, readers }: Clients): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { answers } of [...writers, ...readers])
    for (const [status, count] of answers.statuses) sums.set(status, (sums.get(status) ?? 0) + count);
  return sums;
}

/** What nginx wrote into its log, such as "connect() failed", and how often. */
function reasons(said: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, reason = ''] of said.matchAll(/\*\d+ (.*?)(?: \(\d+: [^)]*\))?(?: while [^,]*)?, client:/g))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/** What befalls nodes that clients reach through nginx alone. */
export const NGINX_FAULTS: Scenarios = {
  'nodes-behind-nginx': {
    about: 'behind nginx, one of three nodes is killed, stands still, or is restarted, in turns',
    needs: ['PostgreSQL', 'nginx'],
    isQuick: true,
    prepare: async (installation) => {
      const redis = isInstalled('Redis') ? await RedisServer.start(installation.folder) : null;
      if (redis) installation.atEnd(() => redis.crash());
      const site = await installation.start(3, {
        DATABASE_URL: (await startPostgres(installation)).url(),
        TRUSTED_PROXIES: '127.0.0.1',
        ...(redis && { REDIS_URL: redis.url }),
      });
      const { nginx, address } = await nginxBefore(installation);
      return {
        site: { ...site, addresses: [address], isProxy: true },
        befall: async (seconds) => {
          const end = performance.now() + seconds * 1000;
          for (let turn = 0; turn < 3 || performance.now() < end; turn++) {
            // Each node meets each fault.
            const node = (turn + Math.floor(turn / 3)) % 3;
            await [
              () => installation.kill(node),
              () => installation.hold(node, Math.max(2_000, seconds * 250)),
              () => installation.restart(node),
            ][turn % 3]?.();
            await pause(200 + Math.random() * 500);
          }
        },
        notes: (clients) => {
          const answered = [...statuses(clients)].map(([status, count]) => `${count} × ${status}`);
          const logged = [...reasons(nginx.said)].map(([reason, count]) => `${count} × ${reason}`);
          return [`Answers: ${answered.join(', ')}.`, `nginx logged: ${logged.join(', ') || 'nothing'}.`];
        },
      };
    },
  },
};
