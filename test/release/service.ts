import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { holdSocket } from '../support/held-socket';
import { ServerProcess } from '../support/server-process';

/**
 * Stands in for systemd with parley.socket and parley.service where that does not run:
 * `service.ts <folder> <program> [arguments]` holds a port, which it writes to the file `port` in the folder, and starts
 * the program on it with the environment of this process. It restarts it when there is a file `restart`, which it then
 * removes, and stops it on SIGTERM.
 */
async function main([folder = '', program = '', ...args]: readonly string[]): Promise<void> {
  const socket = holdSocket();
  const place = (name: string) => join(folder, name);
  writeFileSync(place('port'), `${socket.port}`);
  const env = {
    ...(process.env as Record<string, string>),
    EXTERNAL_URL: `http://127.0.0.1:${socket.port}`,
    RATE_LIMIT_PER_MINUTE: '0',
  };
  let isOver = false;
  process.on('SIGTERM', () => (isOver = true));
  while (!isOver) {
    const server = new ServerProcess(args, { env, folder, socket: socket.fd }, program);
    while (!isOver && server.isRunning && !existsSync(place('restart'))) await pause(20);
    server.signal('SIGTERM');
    const code = await server.exitCode();
    writeFileSync(place('service.log'), server.output + server.errors, { flag: 'a' });
    if (code !== 0) process.stderr.write(`The server ended with ${code}: ${server.errors}\n`);
    // What fails at once is not started without end.
    if (code !== 0) await pause(1_000);
    rmSync(place('restart'), { force: true });
  }
  socket.close();
}

void main(process.argv.slice(2));
