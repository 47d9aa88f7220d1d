import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Simulates a server restart: all connections end, and new ones fail for a while. */
export class Outage {
  private readonly connections = new Set<Socket>();
  private isDown = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      if (this.isDown) {
        socket.destroy();
        return;
      }
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /** @param spared the caller's connection */
  async play(downMs: number, spared: Socket | null): Promise<void> {
    this.isDown = true;
    for (const socket of this.connections) if (socket !== spared) socket.destroy();
    await pause(downMs);
    this.isDown = false;
  }
}
