import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { socketAddress, socketFolder } from './operator-protocol';

describe('the address of the socket', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-socket-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is in a separate folder, and absent without one', () => {
    expect(socketAddress(folder)).toBeNull();
    mkdirSync(socketFolder(folder));
    expect(socketAddress(folder)?.path).toBe(join(folder, 'run/parley.sock'));
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('is found by both sides where its path is longer than the system takes', async () => {
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(socketFolder(deep), { recursive: true });
    const mine = socketAddress(deep);
    const yours = socketAddress(deep);
    const server = createServer((socket) => socket.end('here')).listen(mine?.path);
    await once(server, 'listening');
    const socket = connect(yours?.path ?? '');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toBe('here');
    socket.destroy();
    server.close();
    await once(server, 'close');
    mine?.release();
    yours?.release();
  });
});
