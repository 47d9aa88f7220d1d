import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Limits of the memory for answers that clients have not read yet, in bytes. */
export interface UnreadLimits {
  /** Per account, or per address for callers without an account. */
  readonly ofCaller: number;
  readonly together: number;
}

const MIB = 1024 * 1024;
const LIMITS: UnreadLimits = { ofCaller: 32 * MIB, together: 256 * MIB };

/** Smaller answers fit into the system's buffers, unless the client has not read earlier ones. */
const SMALL = 16 * 1024;

/** Memory of a stream for its content and its file. */
const STREAM = 64 * 1024;

/** Memory of a request and its answer besides the content. */
const OVERHEAD = 4 * 1024;

/** An answer that is not completely sent. */
interface Unread {
  readonly caller: string;
  readonly bytes: number;
  readonly socket: Socket;
  readonly content: unknown;
}

/** Answers, oldest first. */
class Pile {
  readonly answers = new Set<Unread>();
  bytes = 0;

  add(answer: Unread): void {
    this.answers.add(answer);
    this.bytes += answer.bytes;
  }

  delete(answer: Unread): void {
    if (this.answers.delete(answer)) this.bytes -= answer.bytes;
  }
}

/**
 * Limits the memory of unread answers. Above the limit, the connections with the oldest answers are closed; clients
 * that keep reading are never among them for long.
 */
class UnreadAnswers {
  private readonly all = new Pile();
  private readonly ofCallers = new Map<string, Pile>();
  private readonly onSockets = new WeakMap<Socket, Set<Unread>>();
  private cut: () => void = () => undefined;

  constructor(private readonly limits: UnreadLimits = LIMITS) {}

  /** Total bytes of all answers. */
  get bytes(): number {
    return this.all.bytes;
  }

  /** Adds a listener that is called for each closed connection. */
  onCut(listener: () => void): void {
    this.cut = listener;
  }

  /** @returns a function to call once the answer is sent, or its connection is closed */
  add(answer: Unread): () => void {
    const pile = this.ofCallers.get(answer.caller) ?? new Pile();
    this.makeRoom(pile, this.limits.ofCaller - answer.bytes);
    this.makeRoom(this.all, this.limits.together - answer.bytes);
    this.all.add(answer);
    pile.add(answer);
    this.ofCallers.set(answer.caller, pile);
    this.onSocket(answer.socket).add(answer);
    return () => this.remove(answer);
  }

  private makeRoom(pile: Pile, most: number): void {
    for (const answer of pile.answers) {
      if (pile.bytes <= most) return;
      if (!answer.socket.destroyed) this.cut();
      answer.socket.destroy();
      this.end(answer);
    }
  }

  /** Node does not report a closed connection to answers queued behind an earlier one. */
  private onSocket(socket: Socket): Set<Unread> {
    const known = this.onSockets.get(socket);
    if (known) return known;
    const answers = new Set<Unread>();
    this.onSockets.set(socket, answers);
    socket.once('close', () => {
      for (const answer of answers) this.end(answer);
    });
    return answers;
  }

  private end(answer: Unread): void {
    this.remove(answer);
    if (answer.content instanceof Readable) answer.content.destroy();
  }

  private remove(answer: Unread): void {
    this.all.delete(answer);
    this.onSockets.get(answer.socket)?.delete(answer);
    const pile = this.ofCallers.get(answer.caller);
    pile?.delete(answer);
    if (pile?.answers.size === 0) this.ofCallers.delete(answer.caller);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    unreadAnswers: UnreadAnswers;
  }
}

/** Counts the answers of a server. Register it last: it must see what is actually sent. */
export function registerUnreadAnswers(fastify: FastifyInstance, limits?: UnreadLimits): void {
  const unread = new UnreadAnswers(limits);
  fastify.decorate('unreadAnswers', unread);
  fastify.addHook('onSend', (request, { raw }, payload, done) => {
    // Otherwise, a text would be in memory twice while it is sent: as a string and as bytes.
    const content = typeof payload === 'string' && payload.length >= SMALL ? Buffer.from(payload) : payload;
    const bytes = sizeOf(content, request.raw);
    if (bytes >= SMALL || isQueued(raw)) {
      const { socket } = request.raw;
      const sent = unread.add({ caller: callerOf(request), bytes: bytes + OVERHEAD, socket, content });
      raw.once('finish', sent).once('close', sent);
    }
    done(null, content);
  });
}

function callerOf({ actor, ip }: FastifyRequest): string {
  return actor === null ? ip : String(actor.userId);
}

function sizeOf(content: unknown, { socket }: IncomingMessage): number {
  if (content instanceof Readable) return STREAM;
  const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? Buffer.byteLength(content) : 0;
  // With TLS, there is an additional encrypted copy.
  return 'encrypted' in socket ? 2 * bytes : bytes;
}

/** Whether an earlier answer on the connection is not completely sent. */
function isQueued({ socket }: ServerResponse): boolean {
  return socket === null || socket.writableLength > 0;
}
