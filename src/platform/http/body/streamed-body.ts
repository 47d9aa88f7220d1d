import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isShredded } from './unread-body';
import { UnsupportedBody } from '../../errors/request.errors';

/** The type of a body that is a piece of a file. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/** A body of any length that is not read yet, so that strangers cannot make the server swallow it. */
export class StreamedBody {
  constructor(private readonly stream: Readable) {}

  /**
   * The bytes as they come, once. Ends where the client breaks off or shreds the body, too: what has come is
   * worth keeping then.
   * @param stopped once no reader waits for the rest
   */
  async *bytes(stopped: AbortSignal): AsyncGenerator<Buffer> {
    const stop = () => this.stream.destroy();
    stopped.addEventListener('abort', stop, { once: true });
    try {
      // Who has enough leaves the stream open, as the client is still to get an answer.
      if (stopped.aborted) return;
      for await (const chunk of this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        yield chunk;
        if (isShredded(this.stream)) return;
      }
    } catch {
      // The connection is gone, so no answer is possible.
    } finally {
      stopped.removeEventListener('abort', stop);
    }
  }
}

/** The body of a request of the type {@link PIECE_TYPE}, as an argument of its handler. */
export const SentPiece = createParamDecorator((_: unknown, context: ExecutionContext): StreamedBody => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body instanceof StreamedBody) return body;
  throw new UnsupportedBody(`The body must be a chunk of the file (content-type: ${PIECE_TYPE})`);
});
