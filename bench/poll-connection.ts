import { connect, type Socket } from 'node:net';
import type { Account } from './comparison';

/** A response to a poll, and its time of arrival. */
export interface PollAnswer {
  readonly text: string;
  readonly at: number;
}

const END_OF_HEADERS = '\r\n\r\n';

/**
 * A hand-written client that polls over one connection: thousands of HTTP clients would use more of the machine than
 * the measured server.
 */
export class PollConnection {
  private lastEventId = -1;
  private received = '';
  private settle: { resolve: (answer: PollAnswer) => void; reject: (error: Error) => void } | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
    private readonly queueId: string,
  ) {
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.settle?.reject(error));
    socket.on('close', () => this.settle?.reject(new Error('The server closed the connection of a poll.')));
  }

  static async open(port: number, { email, key }: Account, queueId: string): Promise<PollConnection> {
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const head = `Host: 127.0.0.1\r\nAuthorization: ${authorization}${END_OF_HEADERS}`;
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new PollConnection(socket, head, queueId);
  }

  /** Requests events after the last one received, and waits for them. */
  poll(): Promise<PollAnswer> {
    const path = `/api/v1/events?queue_id=${this.queueId}&last_event_id=${this.lastEventId}`;
    this.socket.write(`GET ${path} HTTP/1.1\r\n${this.head}`);
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  close(): void {
    this.settle = null;
    this.socket.destroy();
  }

  private receive(chunk: string): void {
    this.received += chunk;
    const bodyAt = this.received.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
    if (bodyAt < END_OF_HEADERS.length) return;
    const length = Number(/content-length: (\d+)/i.exec(this.received)?.[1]);
    if (this.received.length < bodyAt + length) return;
    const text = this.received.slice(bodyAt);
    this.received = '';
    this.lastEventId = Number(/"events":\[\{"id":(\d+)/.exec(text)?.[1] ?? this.lastEventId);
    this.settle?.resolve({ text, at: performance.now() });
  }
}
