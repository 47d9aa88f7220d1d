import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitHit } from '../errors/request.errors';
import { LargeAnswer, textOrStream } from './large-answer';
import { mayBeLarge, SharedJson, successPieces, successText } from './success-envelope';

declare module 'fastify' {
  interface FastifyInstance {
    successAnswers: SuccessAnswers;
  }
}

/** Large answers that one caller may be in the middle of. Each holds what it is made of, up to some megabytes. */
const LARGE_AT_ONCE = 10;

/** Makes the answers of the main interface to what succeeded: always HTTP 200 (WIRE-5a), in the envelope. */
export class SuccessAnswers {
  /** How many large answers are being sent, by their callers. */
  private readonly large = new Map<string, number>();

  /**
   * Prepares the reply for what is to be sent.
   * @param result the keys of the endpoint
   * @throws RateLimitHit for a caller who asks for more before taking what there is
   */
  wrap(result: object, reply: FastifyReply): string | LargeAnswer {
    const { request } = reply;
    const answer = answerOf(result, request.ignoredParameters ?? []);
    if (answer instanceof LargeAnswer) this.count(answer, request);
    reply.code(200).header('content-type', 'application/json; charset=utf-8');
    return answer;
  }

  private count(answer: LargeAnswer, { actor, ip }: FastifyRequest): void {
    const caller = actor === null ? ip : String(actor.userId);
    const others = this.large.get(caller) ?? 0;
    if (others >= LARGE_AT_ONCE) {
      answer.destroy();
      throw new RateLimitHit(1, 'Too many large answers at once. Read those that are on their way first.');
    }
    this.large.set(caller, others + 1);
    answer.once('close', () => {
      const left = (this.large.get(caller) ?? 1) - 1;
      if (left > 0) this.large.set(caller, left);
      else this.large.delete(caller);
    });
  }
}

function answerOf(result: object, ignored: readonly string[]): string | LargeAnswer {
  if (mayBeLarge(result)) return textOrStream(successPieces({ result, ignored }));
  if (result instanceof SharedJson && ignored.length === 0) return result.successText;
  return successText({ result, ignored });
}
