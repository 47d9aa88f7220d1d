import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Site } from './caller';
import { Reader } from './load';
import { stored } from './stored';
import { skipped } from './verdict';

/**
 * A client that waits for events, and whose line vanishes then: nobody closes the connection, and nobody reads what comes.
 * Later it comes back by another line, and knows what it knew.
 */
export class VanishedPoll {
  readonly reader: Reader;
  private socket: Socket | null = null;

  constructor(
    readonly site: Site,
    readonly waitsForMessages: boolean,
  ) {
    this.reader = new Reader(site, false);
  }

  async register(): Promise<void> {
    const isRegistered = await this.reader.register(
      this.waitsForMessages ? '["message"]' : '["realm_emoji"]',
    );
    if (!isRegistered) throw new Error('A client cannot register.');
  }

  /** Returns once the poll is on its way; there is no answer that anybody would hear. */
  async begin(): Promise<void> {
    const { hostname, port } = new URL(this.site.addresses[0] ?? '');
    const socket = connect(Number(port), hostname);
    this.socket = socket;
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    // Nothing listens for data, so nothing is read, and the end that the server makes is not answered by one of ours.
    socket.pause();
    const head = [
      `GET /api/v1/events?${this.reader.position} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: ${this.site.authorization}`,
    ];
    await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n`, resolve));
  }

  /** Lets go of what is left of the line. */
  end(): void {
    this.socket?.destroy();
  }
}

/** Lets the clients come back that waited for messages, and asks whether they are told all that there was for them. */
export async function comeBack(polls: readonly VanishedPoll[]): Promise<string[]> {
  const complaints = new Set<string>();
  for (const { site, reader, waitsForMessages } of polls) {
    const all = await stored(site);
    await reader.followUntil(() => true);
    if (reader.registrations > 1) complaints.add('A client came back, and its queue was gone.');
    if (waitsForMessages && skipped(all, reader).length > 0)
      complaints.add('A client came back, and was not told of everything.');
    for (const wrong of reader.answers.wrong) complaints.add(wrong);
  }
  return [...complaints];
}
