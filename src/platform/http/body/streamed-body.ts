import { PassThrough, type Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isShredded } from './unread-body';
import { UnsupportedBody } from '../../errors/request.errors';

/** The type of a body that is a piece of a file. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/** A body of any length that is not read yet, so that strangers cannot make the server swallow it. */
export class StreamedBody {
  private stopped: AbortSignal | null = null;

  constructor(private readonly stream: Readable) {}

  /** Whether its reader was stopped, as for a newer request of the same client. */
  get isStopped(): boolean {
    return this.stopped?.aborted === true;
  }

  /**
   * The bytes as they come, once. Ends where the client breaks off or shreds the body, too: what has come is
   * worth keeping then. The connection stays open, as the client is still to get an answer.
   * @param stopped once no reader waits for the rest
   */
  async *bytes(stopped: AbortSignal): AsyncGenerator<Buffer> {
    const { stream } = this;
    this.stopped = stopped;
    if (stopped.aborted || stream.destroyed) return;
    // Of a stream of their own, readers see the end while the client sends nothing more.
    const passed = new PassThrough();
    const end = () => {
      stream.unpipe(passed);
      passed.end();
    };
    stopped.addEventListener('abort', end, { once: true });
    stream.once('error', end).once('close', end).pipe(passed);
    try {
      for await (const chunk of passed as AsyncIterable<Buffer>) {
        yield chunk;
        if (isShredded(stream)) return;
      }
    } finally {
      stopped.removeEventListener('abort', end);
      stream.off('error', end).off('close', end).unpipe(passed);
    }
  }
}

/** The body of a request of the type {@link PIECE_TYPE}, as an argument of its handler. */
export const SentPiece = createParamDecorator((_: unknown, context: ExecutionContext): StreamedBody => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body instanceof StreamedBody) return body;
  throw new UnsupportedBody(`The body must be a chunk of the file (content-type: ${PIECE_TYPE})`);
});
