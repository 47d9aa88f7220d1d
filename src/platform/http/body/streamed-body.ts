import { PassThrough, type Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isShredded } from './unread-body';
import { UnsupportedBody } from '../../errors/request.errors';

/** Content type of a body that is a piece of a file. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/** A body of any length that is not read yet, so that unauthenticated clients cannot make the server receive it. */
export class StreamedBody {
  private stopped: AbortSignal | null = null;

  constructor(private readonly stream: Readable) {}

  /** Whether its reader was stopped, for example by a newer request of the same client. */
  get isStopped(): boolean {
    return this.stopped?.aborted === true;
  }

  /**
   * The bytes as they arrive; iterable once. Also ends if the client disconnects or splits the body into too many
   * chunks: the bytes so far are kept. The connection stays open for the answer.
   * @param stopped aborted once no reader waits for the rest
   */
  async *bytes(stopped: AbortSignal): AsyncGenerator<Buffer> {
    const { stream } = this;
    this.stopped = stopped;
    if (stopped.aborted || stream.destroyed) return;
    // With a separate stream, readers see the end even while the client sends nothing more.
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
